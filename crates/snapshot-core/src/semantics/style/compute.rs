//! The pass from the top of the page to the bottom in which values are computed and inherited
//! (CSS Cascade 5, section 4 "value processing"), along the flat tree.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::cascade::{self, Cascade, Precedence, RuleId, Winner, shadow_depth};
use super::computed::{Computed, Flag};
use super::declaration::{Declaration, Texts, Value, WideKeyword, fill_attributes, parse_value};
use super::plain::Classes;
use super::property::Property;
use super::scopes::{ExternalSheets, Scopes};
use super::sheet::{CustomDeclaration, Sheet};
use super::{Display, Origin, PseudoContent, Styles, user_agent, variables};
use crate::document::{Document, Namespace, NodeId, NodeKind, name};
use crate::flat_tree::Slots;

/// Runs the cascade and computes the style of every element among the nodes below the document,
/// which are in composed order.
pub(super) fn compute(document: &Document, nodes: &[NodeId], external: &ExternalSheets<'_>) -> Styles {
    let mut texts = Texts::default();
    let (mut sources, mut styled) = (Vec::new(), Vec::new());
    for &node in nodes {
        if matches!(document.html_name(node), Some(name::STYLE | name::LINK)) || document.is_svg(node, name::STYLE) {
            sources.push(node);
        }
        if document.has_attribute(node, name::STYLE) {
            styled.push(node);
        }
    }
    // Without a sheet at hand there are no rules, but for those in addresses.
    let has_sheets =
        !external.by_address.is_empty() || sources.iter().any(|&node| document.first_child(node).is_some());
    let matcher = has_sheets.then(|| cascade::matcher(document));
    let classes = matcher.as_ref().map(|matcher| Classes::of(matcher.all_class_hashes()));
    let scopes = Scopes::collect(document, &sources, classes.as_ref(), external, &mut texts);
    let attributes = StyleAttributes::read(document, &styled, &mut texts);
    let cascade = Cascade::compute(document, matcher, &scopes, &texts, &attributes);
    let is_complete = !cascade.is_exhausted && scopes.sheets.iter().all(|sheet| !sheet.is_truncated);
    let mut run = Run {
        document,
        scopes: &scopes,
        attributes: &attributes,
        cascade: &cascade,
        texts: &mut texts,
        variables: Variables {
            sets: vec![BTreeMap::new()],
            by_node: if cascade.has_variables { vec![0; document.len()] } else { Vec::new() },
        },
        styles: Styles {
            computed: vec![Computed::INITIAL; document.len()],
            is_complete,
            lacks_sheets: scopes.lacks_sheets,
            ..Styles::default()
        },
    };
    run.compute(nodes);
    run.styles
}

/// What the pass reads and makes.
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
    fn compute(&mut self, nodes: &[NodeId]) {
        let document = self.document;
        let slots = Slots::assign(document);
        let mut depths: FxHashMap<NodeId, u16> = FxHashMap::default();
        for &node in nodes {
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
        let (declarations, custom) = self.attributes.of(document, node);
        self.set_variables(node, flat_parent, custom, depth);
        let is_svg = document.namespace(node) == Some(Namespace::Svg);
        if is_svg || !declarations.is_empty() || self.cascade.has_winners(node) {
            self.declared(node, &mut computed, &own, parent, depth);
        }
        if user_agent::is_never_shown(document, node) {
            computed.display.display = Display::None;
            self.styles.origins.remove(&(node, Property::Display));
        }
        computed.blockify(parent, is_root);
        if !self.cascade.pseudo.is_empty() {
            for is_after in [false, true] {
                if let Some(winners) = self.cascade.pseudo.get(&(node, is_after)) {
                    self.pseudo(node, &computed, winners, is_after);
                }
            }
        }
        computed
    }

    /// Applies what attributes and rules declare for the element.
    fn declared(&mut self, node: NodeId, computed: &mut Computed, own: &Computed, parent: &Computed, depth: u16) {
        let mut best: [Option<Best>; Property::COUNT] = [None; Property::COUNT];
        let mut offer = |property: Property, value: Value, precedence: Precedence, source: Source| {
            let slot = &mut best[property as usize];
            if slot.is_none_or(|best| precedence >= best.precedence) {
                *slot = Some(Best { value, precedence, source });
            }
        };
        if self.document.namespace(node) == Some(Namespace::Svg) {
            for (property, value) in svg_hints(self.document, node, self.texts) {
                offer(property, value, Precedence::HINT, Source::Hint);
            }
        }
        for winner in self.cascade.winners(node) {
            offer(winner.property, winner.value, winner.precedence, Source::Rule(winner.rule));
        }
        for (number, declaration) in (0u32..).zip(self.attributes.of(self.document, node).0) {
            let precedence = Precedence::of_attribute(number, declaration.important, depth);
            offer(declaration.property, declaration.value, precedence, Source::Attribute);
        }
        for property in Property::ALL {
            let Some(best) = best[property as usize] else { continue };
            let value = self.resolve(node, property, best.value);
            computed.apply(property, value, own, parent);
            self.note_origin(node, property, computed, best.source);
        }
    }

    /// Replaces `var()`; what cannot be replaced is as if it were `unset`.
    fn resolve(&mut self, node: NodeId, property: Property, value: Value) -> Value {
        let Value::Unresolved(number) = value else { return value };
        let set = self.variables.of(node);
        let lookup = |name: &str| set.and_then(|set| set.get(name)).map(AsRef::as_ref);
        let substituted = variables::substitute(self.texts.get(number), &lookup);
        substituted
            .and_then(|text| parse_value(property, property.name(), text.trim(), self.texts))
            .unwrap_or(Value::Wide(WideKeyword::Unset))
    }

    fn set_variables(
        &mut self,
        node: NodeId,
        flat_parent: Option<NodeId>,
        attribute: &[CustomDeclaration],
        depth: u16,
    ) {
        if !self.cascade.has_variables {
            return;
        }
        let from_rules = self.cascade.custom.get(&node);
        let inherited = flat_parent.map_or(0, |parent| self.variables.by_node[parent.index()]);
        if from_rules.is_none() && attribute.is_empty() {
            self.variables.by_node[node.index()] = inherited;
            return;
        }
        let mut declared: Vec<(Precedence, &str, &str)> = from_rules
            .into_iter()
            .flatten()
            .map(|custom| (custom.precedence, custom.name.as_ref(), custom.value.as_ref()))
            .collect();
        declared.extend((0u32..).zip(attribute).map(|(number, custom)| {
            let precedence = Precedence::of_attribute(number, custom.important, depth);
            (precedence, custom.name.as_ref(), custom.value.as_ref())
        }));
        declared.sort_by_key(|(precedence, ..)| *precedence);
        let mut set = self.variables.sets.get(inherited as usize).cloned().unwrap_or_default();
        for (_, name, value) in declared {
            // A reference to the inherited value would be a cycle with itself.
            set.insert(name.into(), value.into());
        }
        self.variables.by_node[node.index()] = u32::try_from(self.variables.sets.len()).unwrap_or(0);
        self.variables.sets.push(set);
    }

    /// Keeps what hid the element, to be told when asked.
    fn note_origin(&mut self, node: NodeId, property: Property, computed: &Computed, source: Source) {
        let hides = match property {
            Property::Display => computed.display.display == Display::None,
            Property::Visibility => computed.has(Flag::Invisible),
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

    fn pseudo(&mut self, node: NodeId, parent: &Computed, winners: &[Winner], is_after: bool) {
        let own = parent.inherited();
        let mut computed = own;
        let mut text = None;
        let mut sorted: Vec<&Winner> = winners.iter().collect();
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
        if computed.display.display == Display::None || computed.has(Flag::Invisible) {
            return;
        }
        let document = self.document;
        let attribute = |name: &str| document.find_name(name).and_then(|name| document.attribute(node, name));
        let text = fill_attributes(self.texts.get(text), attribute);
        let content = PseudoContent { text, display: computed.display.display };
        let table = if is_after { &mut self.styles.after } else { &mut self.styles.before };
        table.insert(node, content);
    }
}

/// The `style` attributes of a page, each spelling read once.
#[derive(Debug, Default)]
pub(super) struct StyleAttributes {
    sets: Vec<(Vec<Declaration>, Vec<CustomDeclaration>)>,
    by_node: FxHashMap<NodeId, usize>,
    /// Custom properties that they refer to.
    pub(super) names: FxHashSet<Box<str>>,
}

impl StyleAttributes {
    /// Reads those of the elements given.
    fn read(document: &Document, styled: &[NodeId], texts: &mut Texts) -> Self {
        let mut attributes = Self::default();
        let mut by_text: FxHashMap<&str, usize> = FxHashMap::default();
        for &node in styled {
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

    /// The declarations of all of them.
    pub(super) fn declarations(&self) -> impl Iterator<Item = &Declaration> {
        self.sets.iter().flat_map(|(declarations, _)| declarations)
    }

    fn of(&self, document: &Document, node: NodeId) -> (&[Declaration], &[CustomDeclaration]) {
        // Most elements have none, which the document can say faster.
        if !document.has_attribute(node, name::STYLE) {
            return (&[], &[]);
        }
        self.by_node.get(&node).map_or((&[], &[]), |&number| {
            let (declarations, custom) = &self.sets[number];
            (declarations, custom)
        })
    }
}

/// Custom properties by element; elements that declare none share those of their parent.
#[derive(Debug)]
struct Variables {
    /// The first is empty.
    sets: Vec<BTreeMap<Box<str>, Box<str>>>,
    /// The number of each node's set; of no node where the page has no such properties.
    by_node: Vec<u32>,
}

impl Variables {
    fn of(&self, node: NodeId) -> Option<&BTreeMap<Box<str>, Box<str>>> {
        self.sets.get(*self.by_node.get(node.index())? as usize)
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
