//! The few computed style properties that decide what is shown, and how text runs together.
//!
//! A real cascade over the browser's own sheet, the page's sheets and `style` attributes
//! (CSS Cascade 5), reduced to the properties that a reader of text can notice. Media queries
//! are answered for a screen of [`VIEWPORT_WIDTH`] by [`VIEWPORT_HEIGHT`] pixels.

mod cascade;
mod computed;
mod declaration;
mod media;
mod rule_index;
mod scopes;
mod sheet;
mod user_agent;
mod variables;

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use cascade::{Cascade, Precedence, RuleId, shadow_depth};
use computed::Computed;
use declaration::{Declaration, Property, Texts, Value, parse_value};
use scopes::Scopes;
use sheet::{CustomDeclaration, Sheet};

use crate::document::{Document, Namespace, NodeId, NodeKind, name};
use crate::flat_tree::Slots;

/// The width of the screen that media queries are answered for, in pixels.
pub const VIEWPORT_WIDTH: f32 = 1280.0;

/// The height of the screen that media queries are answered for, in pixels.
pub const VIEWPORT_HEIGHT: f32 = 900.0;

/// How an element takes part in layout, as far as text is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Display {
    /// Not rendered, nor anything below it.
    None,
    /// Not a box itself; its children are.
    Contents,
    /// Runs along with the text.
    #[default]
    Inline,
    /// Runs along with the text as one piece.
    InlineBlock,
    /// Stands on lines of its own.
    Block,
    /// A table cell.
    TableCell,
}

impl Display {
    /// Whether text before and after the element is kept apart from it.
    pub fn is_block(self) -> bool {
        matches!(self, Self::Block | Self::TableCell)
    }
}

/// What becomes of white space in text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum WhiteSpace {
    /// Runs of white space are one space.
    #[default]
    Collapse,
    /// All of it stays: `pre`, `pre-wrap`, `break-spaces`.
    Preserve,
    /// Line breaks stay, the rest is folded: `pre-line`.
    PreserveBreaks,
}

/// How an element that is rendered is kept from sight. Such elements are often meant for
/// readers who do not see the page, so they count as shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Concealment {
    /// `opacity: 0`.
    Transparent,
    /// `clip` or `clip-path` leaves no area.
    Clipped,
    /// A box of at most one pixel that cuts off what does not fit.
    TinyBox,
    /// Moved far to the left, to the top, or out of its line.
    OffScreen,
    /// `font-size: 0`, `scale(0)`.
    ZeroSize,
}

/// Computed values of one element.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Style {
    /// `display`, after a flex container or a float has made a block of it.
    pub display: Display,
    /// `visibility` is `hidden` or `collapse` (inherited).
    pub invisible: bool,
    /// `cursor: pointer` (inherited).
    pub cursor_pointer: bool,
    /// `pointer-events: none` (inherited).
    pub pointer_events_none: bool,
    /// `content-visibility: hidden`: what is in the element is not shown.
    pub content_hidden: bool,
    /// `white-space` (inherited).
    pub white_space: WhiteSpace,
    /// How the element itself is kept from sight, if it is; elements in it are so with it.
    pub concealment: Option<Concealment>,
}

/// The text that a style sheet puts before or behind an element's content.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct PseudoContent {
    /// The strings of `content`; counters, attributes and images without alternative text are
    /// left out.
    pub text: String,
    /// Its `display`.
    pub display: Display,
}

/// What gave a property the value that hides the element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// The `style` attribute.
    Attribute,
    /// A presentational attribute of SVG.
    Hint,
    /// The rule with this selector.
    Rule(String),
}

/// Computed styles of a document.
#[derive(Clone, Debug, Default)]
pub struct Styles {
    computed: Vec<Computed>,
    before: BTreeMap<NodeId, PseudoContent>,
    after: BTreeMap<NodeId, PseudoContent>,
    origins: FxHashMap<(NodeId, Property), Origin>,
    is_complete: bool,
}

impl Styles {
    /// Runs the cascade: the browser's own sheet, the page's sheets, `style` attributes.
    /// `style_sheets` holds the sheets outside of the document by their absolute address.
    pub fn compute(document: &Document, style_sheets: &BTreeMap<String, String>) -> Self {
        let mut texts = Texts::default();
        let scopes = Scopes::collect(document, style_sheets, &mut texts);
        let attributes = StyleAttributes::read(document, &mut texts);
        let cascade = Cascade::compute(document, &scopes, &texts, &attributes.names);
        let is_complete = !cascade.is_exhausted && scopes.sheets.iter().all(|sheet| !sheet.is_truncated);
        let mut run = Run {
            document,
            scopes: &scopes,
            attributes: &attributes,
            cascade: &cascade,
            texts: &mut texts,
            variables: Variables::default(),
            styles: Self { computed: vec![Computed::INITIAL; document.len()], is_complete, ..Self::default() },
        };
        run.compute();
        run.styles
    }

    /// The style of an element; of other nodes the initial values.
    pub fn of(&self, id: NodeId) -> Style {
        self.computed.get(id.index()).map_or_else(Style::default, Computed::style)
    }

    /// What stands before the element's content.
    pub fn before(&self, id: NodeId) -> Option<&PseudoContent> {
        self.before.get(&id)
    }

    /// What stands behind the element's content.
    pub fn after(&self, id: NodeId) -> Option<&PseudoContent> {
        self.after.get(&id)
    }

    /// Whether all rules of the page were matched. Rules that would take unreasonably long to
    /// match are left out.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    pub(super) fn origin(&self, id: NodeId, property: HidingProperty) -> Option<&Origin> {
        self.origins.get(&(id, property.property()))
    }
}

/// A property that hides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum HidingProperty {
    Display,
    Visibility,
}

impl HidingProperty {
    fn property(self) -> Property {
        match self {
            Self::Display => Property::Display,
            Self::Visibility => Property::Visibility,
        }
    }
}

/// The `style` attributes of a page, each spelling read once.
#[derive(Debug, Default)]
struct StyleAttributes {
    sets: Vec<(Vec<Declaration>, Vec<CustomDeclaration>)>,
    by_node: FxHashMap<NodeId, usize>,
    /// Custom properties that they refer to.
    names: FxHashSet<Box<str>>,
}

impl StyleAttributes {
    fn read(document: &Document, texts: &mut Texts) -> Self {
        let mut attributes = Self::default();
        let mut by_text: FxHashMap<&str, usize> = FxHashMap::default();
        for node in document.composed_descendants(NodeId::DOCUMENT) {
            let Some(text) = document.attribute(node, name::STYLE) else { continue };
            let number = *by_text.entry(text).or_insert_with(|| {
                let mut custom = Vec::new();
                let declarations = Sheet::parse_attribute(text, texts, &mut custom);
                for declaration in &declarations {
                    if let Value::Unresolved(number) = declaration.value {
                        variables::each_name(texts.get(number), |name| {
                            attributes.names.insert(name.into());
                        });
                    }
                }
                attributes.sets.push((declarations, custom));
                attributes.sets.len() - 1
            });
            let (declarations, custom) = &attributes.sets[number];
            if !declarations.is_empty() || !custom.is_empty() {
                attributes.by_node.insert(node, number);
            }
        }
        attributes
    }

    fn of(&self, node: NodeId) -> (&[Declaration], &[CustomDeclaration]) {
        self.by_node.get(&node).map_or((&[], &[]), |&number| {
            let (declarations, custom) = &self.sets[number];
            (declarations, custom)
        })
    }
}

/// Custom properties by element; elements that declare none share those of their parent.
#[derive(Debug, Default)]
struct Variables {
    sets: Vec<BTreeMap<Box<str>, Box<str>>>,
    by_node: FxHashMap<NodeId, usize>,
}

impl Variables {
    fn of(&self, node: NodeId) -> Option<&BTreeMap<Box<str>, Box<str>>> {
        self.by_node.get(&node).and_then(|&number| self.sets.get(number))
    }
}

/// The pass from the top to the bottom in which values are computed and inherited.
struct Run<'run> {
    document: &'run Document,
    scopes: &'run Scopes,
    attributes: &'run StyleAttributes,
    cascade: &'run Cascade,
    texts: &'run mut Texts,
    variables: Variables,
    styles: Styles,
}

/// The declaration that won for a property, and where it stands.
#[derive(Clone, Copy)]
struct Best {
    value: Value,
    precedence: Precedence,
    source: Source,
}

#[derive(Clone, Copy)]
enum Source {
    Attribute,
    Hint,
    Rule(RuleId),
}

impl Run<'_> {
    fn compute(&mut self) {
        let document = self.document;
        let slots = Slots::assign(document);
        let mut depths: FxHashMap<NodeId, u16> = FxHashMap::default();
        for node in document.composed_descendants(NodeId::DOCUMENT) {
            if !document.is_element(node) {
                if document.kind(node) == NodeKind::ShadowRoot {
                    depths.insert(node, shadow_depth(document, node));
                    // A shadow root hands on what its host has.
                    if let Some(host) = document.host(node) {
                        self.styles.computed[node.index()] = self.styles.computed[host.index()];
                    }
                }
                continue;
            }
            let above = document.parent(node);
            let is_root = above.is_some_and(|above| document.kind(above) == NodeKind::Document);
            let flat_parent = match above {
                _ if is_root => None,
                Some(above) if document.is_element(above) && document.shadow_root(above).is_some() => {
                    slots.slot_of(node).or(Some(above))
                }
                above => above,
            };
            let parent = flat_parent.map_or(Computed::INITIAL, |parent| self.styles.computed[parent.index()]);
            let depth = if depths.is_empty() { 0 } else { depths.get(&document.root(node)).copied().unwrap_or(0) };
            let computed = self.element(node, flat_parent, &parent, is_root, depth);
            self.styles.computed[node.index()] = computed;
        }
    }

    fn element(
        &mut self,
        node: NodeId,
        flat_parent: Option<NodeId>,
        parent: &Computed,
        is_root: bool,
        depth: u16,
    ) -> Computed {
        let document = self.document;
        let own = user_agent::style(document, node, parent);
        let mut computed = own;
        let mut best: [Option<Best>; Property::COUNT] = [None; Property::COUNT];
        let mut any = false;
        let mut offer = |property: Property, value: Value, precedence: Precedence, source: Source| {
            any = true;
            let slot = &mut best[property as usize];
            if slot.is_none_or(|best| precedence >= best.precedence) {
                *slot = Some(Best { value, precedence, source });
            }
        };
        if document.namespace(node) == Some(Namespace::Svg) {
            for (property, value) in svg_hints(document, node, self.texts) {
                offer(property, value, Precedence::HINT, Source::Hint);
            }
        }
        for winner in self.cascade.winners(node) {
            offer(winner.property, winner.value, winner.precedence, Source::Rule(winner.rule));
        }
        let (declarations, custom) = self.attributes.of(node);
        for (number, declaration) in (0u32..).zip(declarations) {
            let precedence = Precedence::of_attribute(number, declaration.important, depth);
            offer(declaration.property, declaration.value, precedence, Source::Attribute);
        }
        self.set_variables(node, flat_parent, custom, depth);
        if any {
            for property in Property::ALL {
                let Some(best) = best[property as usize] else { continue };
                let value = self.resolve(node, property, best.value);
                computed.apply(property, value, &own, parent);
                self.note_origin(node, property, &computed, best.source);
            }
        }
        if user_agent::is_never_shown(document, node) {
            computed.display.display = Display::None;
            self.styles.origins.remove(&(node, Property::Display));
        }
        computed.blockify(parent, is_root);
        for is_after in [false, true] {
            if let Some(winners) = self.cascade.pseudo.get(&(node, is_after)) {
                self.pseudo(node, &computed, winners, is_after);
            }
        }
        computed
    }

    /// Replaces `var()`; what cannot be replaced is as if it were `unset`.
    fn resolve(&mut self, node: NodeId, property: Property, value: Value) -> Value {
        let Value::Unresolved(number) = value else { return value };
        let set = self.variables.of(node);
        let lookup = |name: &str| set.and_then(|set| set.get(name)).map(AsRef::as_ref);
        let substituted = variables::substitute(self.texts.get(number), &lookup);
        substituted
            .and_then(|text| parse_value(property, property.name(), text.trim(), self.texts))
            .unwrap_or(Value::Wide(declaration::WideKeyword::Unset))
    }

    fn set_variables(
        &mut self,
        node: NodeId,
        flat_parent: Option<NodeId>,
        attribute: &[CustomDeclaration],
        depth: u16,
    ) {
        let from_rules = self.cascade.custom.get(&node);
        let inherited = flat_parent.and_then(|parent| self.variables.by_node.get(&parent).copied());
        let has_uses = !self.cascade.custom.is_empty() || !self.attributes.names.is_empty();
        if !has_uses {
            return;
        }
        if from_rules.is_none() && attribute.is_empty() {
            if let Some(inherited) = inherited {
                self.variables.by_node.insert(node, inherited);
            }
            return;
        }
        let mut declared: Vec<(Precedence, &str, &str)> = from_rules
            .into_iter()
            .flatten()
            .map(|(precedence, name, value)| (*precedence, name.as_ref(), value.as_ref()))
            .collect();
        declared.extend((0u32..).zip(attribute).map(|(number, custom)| {
            let precedence = Precedence::of_attribute(number, custom.important, depth);
            (precedence, custom.name.as_ref(), custom.value.as_ref())
        }));
        declared.sort_by_key(|(precedence, ..)| *precedence);
        let mut set = inherited.and_then(|number| self.variables.sets.get(number)).cloned().unwrap_or_default();
        for (_, name, value) in declared {
            // A reference to the inherited value would be a cycle with itself.
            set.insert(name.into(), value.into());
        }
        self.variables.sets.push(set);
        self.variables.by_node.insert(node, self.variables.sets.len() - 1);
    }

    /// Keeps what hid the element, to be told when asked.
    fn note_origin(&mut self, node: NodeId, property: Property, computed: &Computed, source: Source) {
        let hides = match property {
            Property::Display => computed.display.display == Display::None,
            Property::Visibility => computed.has(computed::Flag::Invisible),
            _ => return,
        };
        if !hides {
            return;
        }
        let origin = match source {
            Source::Attribute => Origin::Attribute,
            Source::Hint => Origin::Hint,
            Source::Rule((sheet, rule)) => Origin::Rule(
                self.scopes
                    .sheets
                    .get(sheet as usize)
                    .and_then(|sheet| sheet.rules.get(rule as usize))
                    .map_or_else(String::new, |rule| cssparser::ToCss::to_css_string(&rule.selector)),
            ),
        };
        self.styles.origins.insert((node, property), origin);
    }

    fn pseudo(&mut self, node: NodeId, parent: &Computed, winners: &[cascade::Winner], is_after: bool) {
        let own = parent.inherited();
        let mut computed = own;
        let mut text = None;
        let mut sorted: Vec<&cascade::Winner> = winners.iter().collect();
        sorted.sort_by_key(|winner| winner.precedence);
        for winner in sorted {
            let value = self.resolve(node, winner.property, winner.value);
            match value {
                Value::Content(number) => text = number,
                value => computed.apply(winner.property, value, &own, parent),
            }
        }
        computed.blockify(parent, false);
        let Some(text) = text else { return };
        if computed.display.display == Display::None || computed.has(computed::Flag::Invisible) {
            return;
        }
        let content = PseudoContent { text: self.texts.get(text).to_owned(), display: computed.display.display };
        let table = if is_after { &mut self.styles.after } else { &mut self.styles.before };
        table.insert(node, content);
    }
}

/// Attributes of SVG that are properties (SVG 2, "presentation attributes").
fn svg_hints(document: &Document, node: NodeId, texts: &mut Texts) -> Vec<(Property, Value)> {
    let read = [
        (name::DISPLAY, Property::Display),
        (name::VISIBILITY, Property::Visibility),
        (name::OPACITY, Property::Opacity),
    ];
    let mut hints: Vec<(Property, Value)> = read
        .into_iter()
        .filter_map(|(attribute, property)| {
            let value = document.attribute(node, attribute)?.trim();
            Some((property, parse_value(property, property.name(), value, texts)?))
        })
        .collect();
    for attribute in document.attributes(node) {
        let property = match document.name_text(attribute.name) {
            "pointer-events" => Property::PointerEvents,
            "cursor" => Property::Cursor,
            _ => continue,
        };
        hints.extend(
            parse_value(property, property.name(), attribute.value.trim(), texts).map(|value| (property, value)),
        );
    }
    hints
}

#[cfg(test)]
mod tests;
