//! Tokens to a tree: the tree construction stage of the HTML Standard (section 13.2.6), straight
//! into the arena.
//!
//! A token goes to the rules of the current insertion mode, or to those of foreign content. A rule
//! is done with it, or changes the mode and sends it round again. Where the standard's rules for
//! `select` have changed with the customisable one, they are as html5ever 0.40 has them.
//!
//! What a page can make grow is bounded in [`nesting`].

mod adoption;
mod foreign;
mod foreign_names;
mod formatting;
mod insertion;
mod kinds;
mod modes;
mod nesting;
mod open_elements;
mod quirks;
#[cfg(test)]
mod tests;

use super::html::{Budget, Settings};
use super::tokenizer::{Attributes, Content, Doctype, Sink, StartTag};
use crate::document::{Document, Name, Namespace, NodeId, QuirksMode, RepeatedValues, name};
use formatting::FormattingList;
use kinds::Kinds;
use nesting::Nesting;
use open_elements::{Open, OpenElements};

/// A start tag with names of the document.
type Tag<'tag> = StartTag<'tag, Name>;

/// The state of one run of tree construction.
pub(super) struct TreeBuilder {
    pub(super) document: Document,
    /// The node that the tree is built below.
    root: NodeId,
    mode: Mode,
    /// The mode to go back to behind raw text.
    mode_behind_text: Mode,
    template_modes: Vec<Mode>,
    open: OpenElements,
    formatting: FormattingList,
    head: Option<Open>,
    form: Option<NodeId>,
    /// What stands for the element that a fragment is parsed as the content of. It is not in the
    /// document; its id is that of the root, which is never open.
    context: Option<Open>,
    frameset_ok: bool,
    foster_parenting: bool,
    /// A line feed that comes next is left out.
    skips_line_feed: bool,
    /// Characters of a table that go before it if not all of them are white space.
    table_text: String,
    quirks_mode: QuirksMode,
    /// How the tokenizer is to go on behind the current tag.
    content: Content,
    scripting: bool,
    srcdoc: bool,
    mhtml: bool,
    attribute_limit: usize,
    budget: Budget,
    repeated_values: RepeatedValues,
    nesting: Nesting,
    elements_made: usize,
    newest_element: NodeId,
    /// The `<selectedcontent>` elements that were made.
    selected_content: Vec<NodeId>,
}

/// The insertion mode (13.2.4.1). The "in table text" mode is the time while there is
/// [`table_text`](TreeBuilder::table_text).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

/// What a rule says about its token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Done,
    /// The token is to be processed again, in the mode that is set now.
    Again,
}

/// Characters as the rules tell them apart.
#[derive(Clone, Copy)]
enum Characters<'text> {
    /// Nothing but white space.
    Blank(&'text str),
    /// In modes that tell white space apart nothing of it, in others anything.
    Text(&'text str),
    Nul,
}

/// What is left of a run of tree construction.
pub(super) struct Built {
    pub(super) document: Document,
    pub(super) selected_content: Vec<NodeId>,
    pub(super) is_over_budget: bool,
    /// Elements were closed since they were nested too deeply.
    pub(super) closed_early: bool,
    /// Formatting elements were left out since too many were open.
    pub(super) formatting_left_out: bool,
}

impl TreeBuilder {
    /// A builder of a whole page below `root`.
    pub(super) fn new(document: Document, root: NodeId, settings: &Settings) -> Self {
        Self {
            document,
            root,
            mode: Mode::Initial,
            mode_behind_text: Mode::InBody,
            template_modes: Vec::new(),
            open: OpenElements::new(root),
            formatting: FormattingList::default(),
            head: None,
            form: None,
            context: None,
            frameset_ok: true,
            foster_parenting: false,
            skips_line_feed: false,
            table_text: String::new(),
            quirks_mode: QuirksMode::No,
            content: Content::Data,
            scripting: settings.scripting,
            srcdoc: settings.srcdoc,
            mhtml: settings.mhtml,
            attribute_limit: settings.limits.attributes,
            budget: settings.budget,
            repeated_values: RepeatedValues::new(),
            nesting: Nesting::new(&settings.limits),
            elements_made: 0,
            newest_element: root,
            selected_content: Vec::new(),
        }
    }

    /// A builder of the content of an element of this name (13.4): it goes into an `html` element
    /// below `root`.
    pub(super) fn for_fragment(
        document: Document,
        root: NodeId,
        (namespace, context): (Namespace, &str),
        settings: &Settings,
    ) -> Self {
        let mut builder = Self::new(document, root, settings);
        let name = builder.document.intern(context);
        let context = Open { id: root, content: root, name, namespace, kinds: Kinds::of(name, namespace) };
        if context.is_html(name::TEMPLATE) {
            builder.template_modes.push(Mode::InTemplate);
        }
        if context.is_html(name::FORM) {
            builder.form = Some(context.id);
        }
        builder.context = Some(context);
        builder.insert_root(Attributes::NONE);
        builder.reset_mode();
        builder
    }

    /// How the tokenizer is to begin.
    pub(super) fn first_content(&self) -> Content {
        match self.context {
            Some(context) if context.kinds.meets(Kinds::HTML) => match context.name {
                name::TITLE | name::TEXTAREA => Content::Rcdata,
                name::STYLE | name::XMP | name::IFRAME | name::NOEMBED | name::NOFRAMES => Content::Rawtext,
                name::NOSCRIPT if self.scripting => Content::Rawtext,
                name::SCRIPT => Content::ScriptData,
                name::PLAINTEXT => Content::Plaintext,
                _ => Content::Data,
            },
            _ => Content::Data,
        }
    }

    pub(super) fn finish(self) -> Built {
        Built {
            is_over_budget: self.is_over_budget(),
            closed_early: self.nesting.has_closed_early(),
            formatting_left_out: self.nesting.has_left_out_formatting(),
            document: self.document,
            selected_content: self.selected_content,
        }
    }

    fn is_over_budget(&self) -> bool {
        self.document.len() > self.budget.nodes
            || self.document.attribute_count() > self.budget.attributes
            || self.document.text_bytes() > self.budget.text_bytes
    }

    fn process_end_tag(&mut self, name: Name) {
        self.flush_table_text();
        loop {
            let step = if self.is_in_foreign_content() {
                self.end_in_foreign_content(name)
            } else {
                self.end_in(self.mode, name)
            };
            if step == Step::Done {
                return;
            }
        }
    }

    fn process_characters(&mut self, characters: Characters<'_>) {
        if !self.is_html_for_characters() {
            self.characters_in_foreign_content(characters);
            return;
        }
        while self.characters_in(self.mode, characters) == Step::Again {}
    }

    /// The current node, or the context of a fragment in place of its `html` element.
    #[inline]
    fn adjusted_current(&self) -> Open {
        match self.context {
            Some(context) if self.open.len() == 1 => context,
            _ => self.open.current(),
        }
    }

    /// Begins raw text behind a start tag.
    fn insert_raw_text(&mut self, tag: &Tag<'_>, content: Content) -> Step {
        self.insert_element(tag);
        self.mode_behind_text = self.mode;
        self.mode = Mode::Text;
        self.content = content;
        Step::Done
    }

    /// Chooses the mode by what is open (13.2.4.1, "reset the insertion mode appropriately").
    fn reset_mode(&mut self) {
        let mut mode = Mode::InBody;
        for (position, &element) in self.open.iter().enumerate().rev() {
            let is_last = position == 0;
            let element = self.context.filter(|_| is_last).unwrap_or(element);
            if !element.kinds.meets(Kinds::HTML) {
                continue;
            }
            mode = match element.name {
                name::TD | name::TH if !is_last => Mode::InCell,
                name::TR => Mode::InRow,
                name::TBODY | name::THEAD | name::TFOOT => Mode::InTableBody,
                name::CAPTION => Mode::InCaption,
                name::COLGROUP => Mode::InColumnGroup,
                name::TABLE => Mode::InTable,
                name::TEMPLATE => self.template_modes.last().copied().unwrap_or(Mode::InBody),
                name::HEAD if !is_last => Mode::InHead,
                name::BODY => Mode::InBody,
                name::FRAMESET => Mode::InFrameset,
                name::HTML if self.head.is_none() => Mode::BeforeHead,
                name::HTML => Mode::AfterHead,
                _ => continue,
            };
            break;
        }
        self.mode = mode;
    }
}

impl Sink for TreeBuilder {
    type Name = Name;

    fn name(&mut self, text: &str) -> Name {
        self.document.intern(text)
    }

    fn spells(&self, name: Name, text: &str) -> bool {
        self.document.name_text(name) == text
    }

    #[inline]
    fn start_tag(&mut self, tag: Tag<'_>) -> Content {
        self.skips_line_feed = false;
        self.content = Content::Data;
        if self.is_over_budget() || !self.admits(&tag) {
            return Content::Data;
        }
        self.flush_table_text();
        loop {
            let step = if self.is_html_for_start_tag(tag.name) {
                self.start_in(self.mode, &tag)
            } else {
                self.start_in_foreign_content(&tag)
            };
            if step == Step::Done {
                return self.content;
            }
        }
    }

    #[inline]
    fn end_tag(&mut self, name: Name) {
        self.skips_line_feed = false;
        if self.nesting.has_closed_elements() {
            self.end_tag_behind_closed_elements(name);
        } else {
            self.process_end_tag(name);
        }
    }

    #[inline]
    fn characters(&mut self, text: &str) {
        let mut rest = text;
        if self.skips_line_feed {
            self.skips_line_feed = false;
            rest = rest.strip_prefix('\n').unwrap_or(rest);
        }
        while !rest.is_empty() {
            let characters = if self.mode.tells_blanks_apart() {
                let (run, behind) = first_run(rest);
                rest = behind;
                run
            } else {
                Characters::Text(std::mem::take(&mut rest))
            };
            self.process_characters(characters);
        }
    }

    fn nul(&mut self) {
        self.skips_line_feed = false;
        self.process_characters(Characters::Nul);
    }

    fn comment(&mut self, text: &str) {
        self.skips_line_feed = false;
        if self.is_over_budget() {
            return;
        }
        self.flush_table_text();
        if self.is_in_foreign_content() {
            self.insert_comment(text);
        } else {
            self.comment_in(self.mode, text);
        }
    }

    fn doctype(&mut self, doctype: &Doctype) {
        self.skips_line_feed = false;
        if self.mode == Mode::Initial {
            self.insert_doctype(doctype);
        }
    }

    fn end_of_file(&mut self) {
        self.flush_table_text();
        while self.end_of_file_in(self.mode) == Step::Again {}
    }

    #[inline]
    fn is_in_foreign_content(&self) -> bool {
        !self.adjusted_current().kinds.meets(Kinds::HTML)
    }
}

/// What a text begins with of white space, or else of other characters, and what is behind.
fn first_run(text: &str) -> (Characters<'_>, &str) {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace();
    let bytes = text.as_bytes();
    let starts_blank = bytes.first().is_some_and(is_blank);
    let length = bytes.iter().position(|byte| is_blank(byte) != starts_blank).unwrap_or(bytes.len());
    let (run, behind) = text.split_at_checked(length).unwrap_or((text, ""));
    (if starts_blank { Characters::Blank(run) } else { Characters::Text(run) }, behind)
}

/// Whether nothing but white space is in the text.
fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace())
}
