//! A style sheet read down to what we ask of it: rules whose declarations matter, with the
//! conditions around them already answered.

mod body;

use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser as CssParser, ParserState, QualifiedRuleParser,
    RuleBodyItemParser, RuleBodyParser, StyleSheetParser,
};
use selectors::SelectorList;
use selectors::parser::{Component, Selector};

use super::declaration::{Declaration, Texts};
use super::media::{media_matches, supports_matches};
use super::plain::{self, Classes, Plain, PlainRule};
use crate::selector::{Grammar, NESTING_LIMIT, PseudoClass, PseudoElement, SelectorParser, Weight};
use body::{AttributeReader, Body, declare};

/// A style sheet as read.
#[derive(Clone, Debug, Default)]
pub(super) struct Sheet {
    pub(super) rules: Vec<Rule>,
    pub(super) declarations: Vec<Declaration>,
    /// Custom properties: the rule's number, the name, the value, whether it is important.
    pub(super) custom: Vec<CustomDeclaration>,
    pub(super) imports: Vec<Import>,
    /// The layers in the order in which they are named, each with its whole path.
    pub(super) layers: Vec<LayerPath>,
    /// Whether a rule was left out because matching it would cost too much.
    pub(super) is_truncated: bool,
}

/// The name of a cascade layer with those around it.
pub(super) type LayerPath = Vec<Box<str>>;

/// One selector of a style rule with the rule's declarations.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) selector: Selector<Grammar>,
    pub(super) declarations: std::ops::Range<u32>,
    pub(super) custom: std::ops::Range<u32>,
    /// The number of the layer in [`Sheet::layers`].
    pub(super) layer: Option<u32>,
    pub(super) pseudo: Option<PseudoElement>,
}

/// A declaration of a custom property.
#[derive(Clone, Debug)]
pub(super) struct CustomDeclaration {
    pub(super) name: Box<str>,
    pub(super) value: Box<str>,
    pub(super) important: bool,
}

/// An `@import` whose conditions hold.
#[derive(Clone, Debug)]
pub(super) struct Import {
    pub(super) address: Box<str>,
    pub(super) layer: Option<LayerPath>,
}

/// Layers within layers; deeper ones are taken for the one around them.
const MAX_LAYER_DEPTH: usize = 16;

/// Style rules within style rules; deeper ones are left out.
const MAX_RULE_DEPTH: usize = 16;

/// Selectors of one sheet; more is left out.
const MAX_RULES: usize = 500_000;

impl Sheet {
    /// Reads a style sheet. Rules that cannot match anything that has these classes may be left
    /// out.
    pub(super) fn parse(text: &str, classes: Option<&Classes>, texts: &mut Texts) -> Self {
        let mut sheet = Self::default();
        let mut reader = Reader { classes, ..Reader::new(&mut sheet, texts) };
        reader.read(text, false);
        sheet
    }

    /// Reads the declarations of a `style` attribute.
    pub(super) fn parse_attribute(
        text: &str,
        texts: &mut Texts,
        custom: &mut Vec<CustomDeclaration>,
    ) -> Vec<Declaration> {
        let mut sheet = Self::default();
        let mut input = CssParser::new(text);
        input.set_nested_block_limit(NESTING_LIMIT);
        let mut reader = Reader::new(&mut sheet, texts);
        let mut attribute = AttributeReader { reader: &mut reader };
        for result in RuleBodyParser::new(&mut input, &mut attribute) {
            let _malformed = result.is_err();
        }
        custom.append(&mut sheet.custom);
        sheet.declarations
    }
}

/// The selectors of the rule around, for `&`.
struct Parent {
    list: SelectorList<Grammar>,
    weight: usize,
}

struct Reader<'sheet> {
    sheet: &'sheet mut Sheet,
    texts: &'sheet mut Texts,
    classes: Option<&'sheet Classes>,
    parents: Vec<Parent>,
    layer: LayerPath,
    layer_number: Option<u32>,
    /// Whether a style rule came already; `@import` has to stand before all of them.
    seen_rule: bool,
}

type Failure = ParseError<()>;

fn failure() -> Failure {
    ParseError::unexpected_token()
}

/// The beginning of an at-rule.
enum AtRule {
    Import(Option<Import>),
    Layers(Vec<LayerPath>),
    /// A block that is read as if it were not there around its rules.
    Transparent,
    LayerBlock(LayerPath),
    /// `@scope (a)`, whose rules are for what is inside of what `a` matches.
    Scope(Parent),
    /// A block that does not apply.
    Skipped,
}

fn rest<'i>(input: &mut CssParser<'i>) -> &'i str {
    let start = input.position();
    while input.next().is_ok() {}
    input.slice_from(start).trim()
}

impl<'sheet> Reader<'sheet> {
    fn new(sheet: &'sheet mut Sheet, texts: &'sheet mut Texts) -> Self {
        Self {
            sheet,
            texts,
            classes: None,
            parents: Vec::new(),
            layer: Vec::new(),
            layer_number: None,
            seen_rule: false,
        }
    }

    /// Reads the rules of a sheet or of a block in it.
    fn read(&mut self, text: &str, is_block: bool) {
        let mut rest = text;
        loop {
            rest = &rest[plain::blank(rest)..];
            if rest.is_empty() {
                return;
            }
            if let Some(behind) = rest.strip_prefix(';').filter(|_| is_block) {
                rest = behind;
                continue;
            }
            // What comes first decides whether there may be an `@import`.
            let length = match if self.seen_rule { Plain::read(rest) } else { None } {
                Some((Plain::Rule(rule), length)) => {
                    self.plain_rule(&rule);
                    length
                }
                Some((Plain::Other, length)) => length,
                Some((Plain::Media { query, block }, length)) if !is_block => {
                    if media_matches(query.trim()) {
                        self.read(block, true);
                    }
                    length
                }
                _ => self.next(rest),
            };
            rest = &rest[length..];
        }
    }

    /// Reads a rule that may match, first its declarations, and its selectors only when there are
    /// any that matter.
    fn plain_rule(&mut self, rule: &PlainRule<'_>) {
        if self.classes.is_some_and(|classes| !classes.may_match(rule.prelude)) {
            return;
        }
        let (mut declarations, mut custom) = (Vec::new(), Vec::new());
        for (name, value) in rule.declarations() {
            declare(name, value, self.texts, &mut declarations, &mut custom);
        }
        if declarations.is_empty() && custom.is_empty() {
            return;
        }
        let mut input = CssParser::new(rule.prelude);
        input.set_nested_block_limit(NESTING_LIMIT);
        let list = self.selector_parser().parse_list(&mut input).ok();
        if let Some(parent) = list.and_then(|list| self.within_parents(list)) {
            self.add_rules(&parent.list, self.sheet.rules.len(), declarations, custom);
        }
    }

    /// Reads the rule that the text begins with, and returns its length.
    fn next(&mut self, text: &str) -> usize {
        let mut input = CssParser::new(text);
        input.set_nested_block_limit(NESTING_LIMIT);
        // A rule that cannot be read is left out; the rest stands.
        match StyleSheetParser::new(&mut input, self).next() {
            Some(result) => {
                let _malformed = result.is_err();
                // What is left of a block that was given up is read over before white space is.
                input.skip_whitespace();
                input.position().byte_index()
            }
            None => text.len(),
        }
    }

    fn register_layer(&mut self, path: LayerPath) -> u32 {
        let number = u32::try_from(self.sheet.layers.len()).unwrap_or(u32::MAX);
        self.sheet.layers.push(path);
        number
    }

    fn layer_path(&self, name: &str) -> LayerPath {
        let mut path = self.layer.clone();
        let room = MAX_LAYER_DEPTH.saturating_sub(path.len());
        path.extend(name.split('.').take(room).map(|part| part.trim().into()));
        path
    }

    fn anonymous_layer(&self) -> LayerPath {
        let mut path = self.layer.clone();
        // No name in a sheet can hold a NUL.
        path.push(format!("\0{}", self.sheet.layers.len()).into());
        path
    }

    fn import(&mut self, prelude: &str) -> Option<Import> {
        let mut input = CssParser::new(prelude);
        input.set_nested_block_limit(NESTING_LIMIT);
        let address: Box<str> = input.expect_url_or_string().ok()?.as_ref().into();
        let mut layer = None;
        if input.try_parse(|input| input.expect_ident_matching("layer")).is_ok() {
            layer = Some(self.anonymous_layer());
        } else if let Ok(name) = input.try_parse(|input| {
            input.expect_function_matching("layer")?;
            input.parse_nested_block(|input| Ok::<_, Failure>(rest(input)))
        }) {
            layer = Some(self.layer_path(name));
        }
        if let Ok(condition) = input.try_parse(|input| {
            input.expect_function_matching("supports")?;
            input.parse_nested_block(|input| Ok::<_, Failure>(rest(input)))
        }) {
            let bare = !condition.starts_with(['(', 'n', 's']) && condition.contains(':');
            let holds = if bare { supports_matches(&format!("({condition})")) } else { supports_matches(condition) };
            if !holds {
                return None;
            }
        }
        if !media_matches(rest(&mut input)) {
            return None;
        }
        if let Some(path) = &layer {
            self.register_layer(path.clone());
        }
        Some(Import { address, layer })
    }

    fn at_rule<'i>(&mut self, name: &str, input: &mut CssParser<'i>) -> Result<AtRule, Failure> {
        let prelude = rest(input);
        cssparser::match_ignore_ascii_case! { name,
            "media" => Ok(if media_matches(prelude) { AtRule::Transparent } else { AtRule::Skipped }),
            "supports" => Ok(if supports_matches(prelude) { AtRule::Transparent } else { AtRule::Skipped }),
            // Without layout, a container is taken to be as large as the screen.
            "container" => {
                let query = prelude.find('(').and_then(|start| prelude.get(start..)).unwrap_or("");
                Ok(if media_matches(query) { AtRule::Transparent } else { AtRule::Skipped })
            },
            "scope" => Ok(self.scope(prelude).map_or(AtRule::Skipped, AtRule::Scope)),
            "layer" => {
                let names: Vec<&str> = prelude.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
                Ok(match names.as_slice() {
                    [] => AtRule::LayerBlock(self.anonymous_layer()),
                    [name] => AtRule::LayerBlock(self.layer_path(name)),
                    names => AtRule::Layers(names.iter().map(|name| self.layer_path(name)).collect()),
                })
            },
            "import" => {
                if self.seen_rule || !self.parents.is_empty() || !self.layer.is_empty() {
                    return Err(failure());
                }
                Ok(AtRule::Import(self.import(prelude)))
            },
            _ => Ok(AtRule::Skipped),
        }
    }

    /// The selectors of `@scope (a)` (CSS Cascade 6, 2.5); nothing for scopes with a lower end or
    /// without an upper one, which are left out.
    fn scope(&mut self, prelude: &str) -> Option<Parent> {
        let mut input = CssParser::new(prelude);
        input.set_nested_block_limit(NESTING_LIMIT);
        input.expect_parenthesis_block().ok()?;
        let start = input.parse_nested_block(|input| Ok::<_, Failure>(rest(input))).ok()?;
        input.expect_exhausted().ok()?;
        // Scopes add nothing to the weight of the selectors in them.
        let start = format!(":where({start})");
        let mut input = CssParser::new(&start);
        input.set_nested_block_limit(NESTING_LIMIT);
        let list = self.selector_parser().parse_list(&mut input).ok()?;
        self.within_parents(list)
    }

    fn selector_parser(&self) -> SelectorParser {
        SelectorParser { nested: !self.parents.is_empty(), sheet: true }
    }

    /// Fills in what `&` stands for; nothing when the selectors would cost too much to match.
    fn within_parents(&mut self, list: SelectorList<Grammar>) -> Option<Parent> {
        let outer = self.parents.last().map_or(1, |parent| parent.weight);
        let mut weight = 0usize;
        for selector in list.slice() {
            let Some(own) = Weight::of(selector).within(outer) else {
                self.sheet.is_truncated = true;
                return None;
            };
            weight = weight.saturating_add(own);
        }
        let list = match self.parents.last() {
            Some(parent) => list.replace_parent_selector(&parent.list),
            None => list,
        };
        Some(Parent { list, weight })
    }

    fn at_rule_without_block(&mut self, rule: AtRule) -> Result<(), ()> {
        match rule {
            AtRule::Import(import) => self.sheet.imports.extend(import),
            AtRule::Layers(paths) => {
                for path in paths {
                    self.register_layer(path);
                }
            }
            AtRule::LayerBlock(path) if path.last().is_some_and(|name| !name.starts_with('\0')) => {
                self.register_layer(path);
            }
            _ => return Err(()),
        }
        Ok(())
    }

    fn at_rule_block<'i>(&mut self, rule: AtRule, input: &mut CssParser<'i>) -> Result<(), Failure> {
        match rule {
            AtRule::Transparent => self.nested_block(input),
            AtRule::LayerBlock(path) => {
                let number = self.register_layer(path.clone());
                let outer = (std::mem::replace(&mut self.layer, path), self.layer_number.replace(number));
                self.nested_block(input);
                (self.layer, self.layer_number) = outer;
            }
            AtRule::Scope(parent) if self.parents.len() < MAX_RULE_DEPTH => self.body_of(parent, input),
            _ => while input.next().is_ok() {},
        }
        Ok(())
    }

    /// Reads the body of a rule with these selectors.
    fn body_of(&mut self, parent: Parent, input: &mut CssParser<'_>) {
        let list = parent.list.clone();
        self.parents.push(parent);
        self.rule_body(&list, input);
        self.parents.pop();
    }

    /// The block of a conditional rule: rules, and inside a style rule declarations too.
    fn nested_block(&mut self, input: &mut CssParser<'_>) {
        match self.parents.last() {
            None => {
                for result in RuleBodyParser::new(input, self) {
                    let _malformed = result.is_err();
                }
            }
            Some(parent) => {
                let list = parent.list.clone();
                self.rule_body(&list, input);
            }
        }
    }

    /// Reads declarations and nested rules, and makes a rule of the declarations for each
    /// selector. Declarations between nested rules are kept in one block with the others: their
    /// order against nested rules only matters at equal specificity.
    fn rule_body(&mut self, list: &SelectorList<Grammar>, input: &mut CssParser<'_>) {
        let position = self.sheet.rules.len();
        let mut body = Body { declarations: Vec::new(), custom: Vec::new(), reader: self };
        for result in RuleBodyParser::new(input, &mut body) {
            let _malformed = result.is_err();
        }
        let Body { declarations, custom, .. } = body;
        if !declarations.is_empty() || !custom.is_empty() {
            self.add_rules(list, position, declarations, custom);
        }
    }

    /// Makes a rule of the declarations for each selector, to stand at the position.
    fn add_rules(
        &mut self,
        list: &SelectorList<Grammar>,
        position: usize,
        declarations: Vec<Declaration>,
        custom: Vec<CustomDeclaration>,
    ) {
        let range =
            |start: usize, end: usize| u32::try_from(start).unwrap_or(u32::MAX)..u32::try_from(end).unwrap_or(u32::MAX);
        let declared = self.sheet.declarations.len();
        self.sheet.declarations.extend(declarations);
        let declared = range(declared, self.sheet.declarations.len());
        let customised = self.sheet.custom.len();
        self.sheet.custom.extend(custom);
        let customised = range(customised, self.sheet.custom.len());
        if self.sheet.rules.len() >= MAX_RULES {
            self.sheet.is_truncated = true;
            return;
        }
        let layer = self.layer_number;
        let rules = list.slice().iter().filter_map(|selector| {
            let pseudo = match selector.pseudo_element() {
                Some(PseudoElement::Other) => return None,
                pseudo => pseudo.copied(),
            };
            (!never_matches(selector)).then(|| Rule {
                selector: selector.clone(),
                declarations: declared.clone(),
                custom: customised.clone(),
                layer,
                pseudo,
            })
        });
        // The rule stands before those nested in it.
        let rules: Vec<Rule> = rules.collect();
        self.sheet.rules.splice(position..position, rules);
    }
}

/// Whether a compound of the selector asks for something that is never true of a saved page.
fn never_matches(selector: &Selector<Grammar>) -> bool {
    selector
        .iter_raw_match_order()
        .any(|component| matches!(component, Component::NonTSPseudoClass(PseudoClass::Never)))
}

impl<'i> AtRuleParser<'i> for Reader<'_> {
    type Prelude = AtRule;
    type AtRule = ();
    type Error = ();

    fn parse_prelude(&mut self, name: CowRcStr<'i>, input: &mut CssParser<'i>) -> Result<AtRule, Failure> {
        self.at_rule(&name, input)
    }

    fn rule_without_block(&mut self, rule: AtRule, _start: &ParserState) -> Result<(), ()> {
        self.at_rule_without_block(rule)
    }

    fn parse_block(&mut self, rule: AtRule, _start: &ParserState, input: &mut CssParser<'i>) -> Result<(), Failure> {
        self.at_rule_block(rule, input)
    }
}

impl<'i> QualifiedRuleParser<'i> for Reader<'_> {
    /// Nothing when the selectors cost too much to match.
    type Prelude = Option<Parent>;
    type QualifiedRule = ();
    type Error = ();

    fn parse_prelude(&mut self, input: &mut CssParser<'i>) -> Result<Self::Prelude, Failure> {
        if self.parents.len() >= MAX_RULE_DEPTH {
            return Err(failure());
        }
        let list = self.selector_parser().parse_list(input).map_err(|_| failure())?;
        Ok(self.within_parents(list))
    }

    fn parse_block(
        &mut self,
        prelude: Self::Prelude,
        _start: &ParserState,
        input: &mut CssParser<'i>,
    ) -> Result<(), Failure> {
        self.seen_rule = true;
        match prelude {
            Some(parent) => self.body_of(parent, input),
            None => while input.next().is_ok() {},
        }
        Ok(())
    }
}

impl DeclarationParser<'_> for Reader<'_> {
    type Declaration = ();
    type Error = ();
}

impl RuleBodyItemParser<'_, (), ()> for Reader<'_> {
    fn parse_declarations(&self) -> bool {
        false
    }

    fn parse_qualified(&self) -> bool {
        true
    }
}
