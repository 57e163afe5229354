//! Inline content: links, formatting, and elements that are one thing whatever is inside.

use std::borrow::Cow;

use super::{Exit, Frame, Reader, format};
use crate::document::{NodeId, name};
use crate::representations::UrlPolicy;
use crate::representations::markdown::flow::Holds;
use crate::representations::markdown::links;
use crate::representations::markdown::marks::Link;
use crate::representations::markdown::run::is_collapsible;
use crate::representations::markdown::{controls, escaping, inline, math};
use crate::semantics::style::Display;
use crate::text::spacing::on_one_line;

impl<'read> Reader<'read> {
    pub(super) fn piece(&mut self, position: usize, node: NodeId) -> Option<usize> {
        let end = self.tree.end(position);
        if let Some(number) = self.control_reference(node)
            && let Some(mark) = controls::mark(self.view, self.tree, position, number, self.flow.holds(position))
        {
            let run = self.run();
            run.space();
            run.open(node, Some(number));
            run.raw(&mark.text);
            run.close();
            run.space();
            if mark.whole {
                return Some(end);
            }
        }
        // All names that are looked at must be in `Kinds::PIECE`.
        match self.document.html_name(node)? {
            name::BR => self.line_break(),
            name::WBR => {}
            name::IMG => self.image(node),
            name::INPUT | name::SELECT | name::TEXTAREA | name::METER | name::PROGRESS => {
                if let Some(text) = controls::readable(self.view, node) {
                    let run = self.run();
                    run.space();
                    run.open(node, None);
                    run.text(&text);
                    run.close();
                    run.space();
                }
            }
            name::IFRAME | name::FRAME if self.document.frame(node).is_none() => self.embedded(node),
            name::VIDEO | name::AUDIO => self.embedded(node),
            name::CODE | name::SAMP | name::TT
                if self.code == 0 && !self.flow.holds(position).any(Holds::TARGET.or(Holds::IMAGE)) =>
            {
                let text = self.words(position);
                let run = self.run();
                run.open(node, None);
                run.code(&text);
                run.close();
            }
            _ => return None,
        }
        Some(end)
    }

    /// The id of a control that is written as a mark: of a target that is no link.
    pub(super) fn control_reference(&self, node: NodeId) -> Option<u32> {
        let number = self.view.reference(node)?;
        let is_link = self.document.has_attribute(node, name::HREF) && self.is_link(node);
        (self.view.draft.is_target(node) && !is_link).then_some(number)
    }

    pub(super) fn is_link(&self, node: NodeId) -> bool {
        matches!(self.document.html_name(node), Some(name::A | name::AREA)) || self.document.is_svg(node, name::A)
    }

    pub(super) fn line_break(&mut self) {
        if !self.has_run {
            return;
        }
        let run = &mut self.run;
        // Two breaks in a row are how people part paragraphs by hand.
        if run.waiting_breaks() > 0 && self.flat.is_none() && self.open_elements == 0 && !run.is_inside() {
            self.end_run();
            return;
        }
        if self.code > 0 {
            run.code(" ");
        } else {
            run.line_break();
        }
    }

    pub(super) fn image(&mut self, node: NodeId) {
        let alt = self.document.attribute(node, name::ALT);
        let title = on_one_line(self.document.attribute(node, name::TITLE).unwrap_or(""));
        // A name that is only the title stays the title.
        let label = alt.unwrap_or_else(|| Some(self.view.draft.name(node)).filter(|name| *name != title).unwrap_or(""));
        let label = on_one_line(label);
        let captured = self.view.draft.page().document();
        let source = if node.index() < captured.len() { captured } else { self.document };
        let address = links::image_address(source, node).and_then(|address| self.destination(node, address));
        // An empty description says that the picture means nothing.
        if label.is_empty() && title.is_empty() && (alt.is_some() || address.is_none()) {
            return;
        }
        let title = if title == label { Cow::Borrowed("") } else { title };
        let run = self.run();
        // No id is written with a picture.
        run.open(node, None);
        match address {
            Some(destination) => {
                let link = Link { destination: destination.into(), title: title.into(), ..Link::default() };
                let mut picture = format!("![{}", escaping::label(&label));
                inline::write_link_tail(&link, &mut |part| picture.push_str(part));
                run.raw(&picture);
            }
            None => run.text(&label),
        }
        run.close();
    }

    /// Something that is played or shown from elsewhere: a link to it, if it says what it is.
    pub(super) fn embedded(&mut self, node: NodeId) {
        let name = self.view.draft.name(node);
        let name = if name.is_empty() { self.document.attribute(node, name::TITLE).unwrap_or("") } else { name };
        let name = on_one_line(name);
        let source = self.document.attribute(node, name::SRC).and_then(|address| self.destination(node, address));
        let Some(destination) = source.filter(|_| !name.is_empty()) else { return };
        let run = self.run();
        let nested = run.is_in_link();
        run.open(node, None);
        if !nested {
            run.start_link(Link { destination: destination.into(), ..Link::default() });
        }
        run.text(&name);
        if !nested {
            run.end_link();
        }
        run.close();
    }

    pub(super) fn math(&mut self, position: usize, node: NodeId) -> usize {
        let end = self.tree.end(position);
        if let Some(formula) = math::read(self.view.draft.page().document(), self.document, self.tree, position) {
            let run = self.run();
            run.open(node, None);
            match formula {
                math::Formula::Tex(markdown) => run.raw(&markdown),
                math::Formula::Text(text) => run.text(&text),
            }
            run.close();
        }
        end
    }

    /// SVG says its name; its own text and links follow.
    pub(super) fn svg(&mut self, position: usize, node: NodeId) -> usize {
        let end = self.tree.end(position);
        match self.document.name(node) {
            Some(name::SVG) => {
                let name = self.view.draft.name(node);
                self.inline_element(node, end);
                if !name.is_empty() {
                    self.run().text(name);
                }
            }
            Some(name::TEXT) => {
                self.run().space();
                self.inline_element(node, end);
                self.frames.push(Frame { end, exit: Exit::Space });
            }
            Some(name::A) => self.inline(position, node),
            _ => {}
        }
        position + 1
    }

    // ---- inline elements ----

    pub(super) fn inline_element(&mut self, node: NodeId, end: usize) {
        self.run().open(node, None);
        self.open_elements += 1;
        self.frames.push(Frame { end, exit: Exit::Element });
    }

    pub(super) fn inline(&mut self, position: usize, node: NodeId) {
        let end = self.tree.end(position);
        if self.stands_apart(position, node) {
            self.run().space();
            self.frames.push(Frame { end, exit: Exit::Space });
        }
        if self.is_link(node)
            && let Some(link) = self.link(position, node)
            && !self.run().is_in_link()
        {
            let reference = self.link_reference(node);
            let run = self.run();
            run.open(node, reference);
            run.start_link(link);
            self.open_elements += 1;
            self.frames.push(Frame { end, exit: Exit::Element });
            self.frames.push(Frame { end, exit: Exit::Link });
            return;
        }
        self.inline_element(node, end);
        let Some(element) = self.document.html_name(node) else { return };
        if let Some(format) = format(self.document, node) {
            let run = self.run();
            if !run.has(format) {
                run.start(format);
                self.frames.push(Frame { end, exit: Exit::Format(format) });
            }
            return;
        }
        match element {
            name::CODE | name::SAMP | name::TT => {
                self.code += 1;
                self.frames.push(Frame { end, exit: Exit::Code });
            }
            name::Q => {
                self.run().text("\"");
                self.frames.push(Frame { end, exit: Exit::Text("\"") });
            }
            name::RT => {
                self.run().text("(");
                self.frames.push(Frame { end, exit: Exit::Text(")") });
            }
            name::BUTTON => {
                self.run().space();
                self.frames.push(Frame { end, exit: Exit::Space });
            }
            _ => {}
        }
    }

    /// Whether the element is a box in the line, such as a badge, that touches no word beside it.
    /// Boxes of single characters are letters that move.
    fn stands_apart(&self, position: usize, node: NodeId) -> bool {
        const NEAR: usize = 8;
        let below = position + 1..self.tree.end(position).min(position + 1 + NEAR);
        self.code == 0
            && self.view.draft.page().semantics().style(node).display == Display::InlineBlock
            && below.map(|at| self.document.text(self.tree.node(at)).trim()).any(|text| text.chars().nth(1).is_some())
    }

    /// The link that an element makes; none when its address must not be written.
    pub(super) fn link(&mut self, position: usize, node: NodeId) -> Option<Link<'read>> {
        let href =
            self.document.attribute(node, name::HREF).or_else(|| self.document.attribute(node, name::XLINK_HREF));
        let href = href?;
        let name = self.view.draft.name(node);
        let title = on_one_line(self.document.attribute(node, name::TITLE).unwrap_or(""));
        // A title that only repeats the address says nothing.
        let title = if title == href.trim() { Cow::Borrowed("") } else { title };
        let reference = self.link_reference(node);
        // Whoever acts on it needs its name.
        let unsaid = reference.and_then(|_| controls::unsaid_name(self.view, self.tree, position));
        let title = unsaid.map_or(title, Cow::Owned);
        let dispensable = href.trim_start().starts_with('#') || (reference.is_none() && self.doubles.contains(&node));
        let destination = match reference {
            Some(number) => {
                if self.view.options.url_table
                    && let Some(address) = links::destination(self.view, &self.short, node, href)
                {
                    self.outline.addresses.insert(number, address.into_owned());
                }
                format!("e{number}").into()
            }
            None => self.destination(node, href)?,
        };
        Some(Link { destination: destination.into(), title: title.into(), name, dispensable })
    }

    /// Where a link or picture leads, ready for Markdown.
    fn destination(&mut self, node: NodeId, address: &'read str) -> Option<Cow<'read, str>> {
        let written = links::destination(self.view, &self.short, node, address)?;
        if self.view.options.url_table
            && let Some(full) = self.short.restore(&written)
        {
            self.outline.shortened.insert(written.clone().into_owned(), full.to_owned());
        }
        Some(written)
    }

    /// The id that stands in place of the link's address.
    pub(super) fn link_reference(&self, node: NodeId) -> Option<u32> {
        if self.view.options.urls == UrlPolicy::Reference {
            return self.view.draft.reference(node);
        }
        self.view.reference(node)
    }

    /// The words of a subtree on one line, white space collapsed.
    fn words(&self, position: usize) -> Cow<'read, str> {
        let below = position + 1..self.tree.end(position);
        if below.len() == 1 {
            let node = self.tree.node(below.start);
            if self.document.is_text(node) {
                return collapse(self.document.text(node));
            }
        }
        let mut text = String::new();
        for at in below {
            let node = self.tree.node(at);
            if self.document.is_text(node) {
                text.push_str(self.document.text(node));
            } else if self.document.is_html(node, name::BR) {
                text.push(' ');
            }
        }
        collapse(&text).into_owned().into()
    }
}

/// Runs of white space become one space.
pub(super) fn collapse(text: &str) -> Cow<'_, str> {
    let pairs = text.as_bytes().iter().zip(text.as_bytes().iter().skip(1));
    let is_single = |byte: u8| !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c);
    if text.bytes().all(is_single) && pairs.into_iter().all(|(&first, &second)| first != b' ' || second != b' ') {
        return Cow::Borrowed(text);
    }
    let mut collapsed = String::with_capacity(text.len());
    for character in text.chars() {
        if !is_collapsible(character) {
            collapsed.push(character);
        } else if !collapsed.ends_with(' ') {
            collapsed.push(' ');
        }
    }
    Cow::Owned(collapsed)
}
