//! Which declarations win for which element (CSS Cascade 5, section 6).

use rustc_hash::{FxHashMap, FxHashSet};
use selectors::bloom::BloomFilter;
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode, SelectorCaches,
};
use selectors::matching::matches_selector;

use super::compute::StyleAttributes;
use super::declaration::{Declaration, Texts, Value};
use super::property::Property;
use super::rule_index::{IndexedRule, RuleIndex, SheetUse, UNLAYERED};
use super::scopes::Scopes;
use super::sheet::Sheet;
use crate::document::{Document, NodeId, NodeKind, name};
use crate::selector::{Grammar, Matcher, PseudoElement, quirks_of};

/// What a declaration wins by; the greater wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Precedence {
    important: bool,
    /// Trees around the element's own win over it, unless the declaration is important.
    context: u16,
    /// A `style` attribute wins over all rules of its tree.
    attached: bool,
    layer: u32,
    specificity: u32,
    order: u32,
}

impl Precedence {
    /// Presentational attributes lose against everything that the page's sheets say.
    pub(super) const HINT: Self =
        Self { important: false, context: 0, attached: false, layer: 0, specificity: 0, order: 0 };

    /// `depth` is the number of shadow trees around the tree that the rule stands in.
    fn of_rule(rule: &IndexedRule, declared: u32, important: bool, depth: u16) -> Self {
        Self {
            important,
            context: context(depth, important),
            attached: false,
            layer: if important { UNLAYERED - rule.layer } else { rule.layer },
            specificity: rule.specificity,
            order: rule.order.saturating_mul(256).saturating_add(declared.min(255)),
        }
    }

    /// That of a `style` attribute's declaration.
    pub(super) fn of_attribute(declared: u32, important: bool, depth: u16) -> Self {
        Self {
            important,
            context: context(depth, important),
            attached: true,
            layer: 0,
            specificity: 0,
            order: declared,
        }
    }
}

fn context(depth: u16, important: bool) -> u16 {
    if important { depth.saturating_add(1) } else { u16::MAX - depth }
}

/// A rule by its sheet's number and its own.
pub(super) type RuleId = (u32, u32);

/// A declaration that won among those of the rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Winner {
    pub(super) property: Property,
    pub(super) value: Value,
    pub(super) precedence: Precedence,
    pub(super) rule: RuleId,
}

/// What the rules say about each element.
#[derive(Debug, Default)]
pub(super) struct Cascade {
    winners: Vec<(Winner, u32)>,
    heads: Vec<u32>,
    /// What rules say about `::before` and `::after`.
    pub(super) pseudo: FxHashMap<(NodeId, bool), Vec<Winner>>,
    /// Custom properties that matter.
    pub(super) custom: FxHashMap<NodeId, Vec<CustomValue>>,
    /// Whether any value that is read refers to a custom property.
    pub(super) has_variables: bool,
    /// Whether matching was given up before all elements were matched.
    pub(super) is_exhausted: bool,
}

/// A rule's value of a custom property.
#[derive(Clone, Debug)]
pub(super) struct CustomValue {
    pub(super) precedence: Precedence,
    pub(super) name: Box<str>,
    pub(super) value: Box<str>,
}

const NOWHERE: u32 = u32::MAX;

/// Steps of matching that are allowed for each node, and besides. Real pages take at most some
/// dozens a node.
const STEPS_PER_NODE: u64 = 100;
const STEPS: u64 = 2_000_000;

/// A matcher for the rules of a page.
pub(super) fn matcher(document: &Document) -> Matcher<'_> {
    Matcher::new(document, STEPS + STEPS_PER_NODE.saturating_mul(document.len() as u64))
}

impl Cascade {
    /// Matches the rules of all trees, with the matcher if there is one already.
    pub(super) fn compute<'page>(
        document: &'page Document,
        mut matcher: Option<Matcher<'page>>,
        scopes: &Scopes,
        texts: &Texts,
        attributes: &StyleAttributes,
    ) -> Self {
        let mut cascade = Self { heads: vec![NOWHERE; document.len()], ..Self::default() };
        let names = wanted_names(scopes, texts, &attributes.names);
        let matters = properties_that_matter(scopes, attributes);
        cascade.has_variables = !names.is_empty();
        let wanted = |sheet: &Sheet, rule: usize| {
            let rule = &sheet.rules[rule];
            sheet.declarations[rule.declarations.start as usize..rule.declarations.end as usize]
                .iter()
                .any(|declaration| matters[declaration.property as usize])
                || (!names.is_empty()
                    && sheet.custom[rule.custom.start as usize..rule.custom.end as usize]
                        .iter()
                        .any(|custom| names.contains(&custom.name)))
        };
        let mut indexes: FxHashMap<&[SheetUse], RuleIndex> = FxHashMap::default();
        for (root, uses) in &scopes.trees {
            let index =
                indexes.entry(uses.as_slice()).or_insert_with(|| RuleIndex::build(&scopes.sheets, uses, wanted));
            if index.is_empty() {
                continue;
            }
            let matcher = matcher.get_or_insert_with(|| self::matcher(document));
            let mut tree = Tree {
                document,
                matcher,
                sheets: &scopes.sheets,
                index,
                names: &names,
                depth: shadow_depth(document, *root),
                quirks: quirks_of(document, *root),
                host: document.host(*root).filter(|_| document.kind(*root) == NodeKind::ShadowRoot),
                caches: SelectorCaches::default(),
                best: [[None; Property::COUNT]; 3],
                cascade: &mut cascade,
            };
            tree.match_all(*root);
            if matcher.is_exhausted() {
                cascade.is_exhausted = true;
                break;
            }
        }
        cascade
    }

    /// Whether rules say anything about the element itself.
    pub(super) fn has_winners(&self, node: NodeId) -> bool {
        self.heads.get(node.index()).is_some_and(|&head| head != NOWHERE)
    }

    /// The declarations that rules make for the element, at most one of each property for each
    /// tree that has a say.
    pub(super) fn winners(&self, node: NodeId) -> impl Iterator<Item = &Winner> {
        let mut next = self.heads.get(node.index()).copied().unwrap_or(NOWHERE);
        std::iter::from_fn(move || {
            let (winner, following) = self.winners.get(next as usize)?;
            next = *following;
            Some(winner)
        })
    }

    fn push(&mut self, node: NodeId, winner: Winner) {
        let position = u32::try_from(self.winners.len()).unwrap_or(NOWHERE);
        let head = &mut self.heads[node.index()];
        self.winners.push((winner, *head));
        *head = position;
    }
}

/// How many shadow trees there are around the tree, within its page.
pub(super) fn shadow_depth(document: &Document, root: NodeId) -> u16 {
    let mut depth = 0u16;
    let mut root = root;
    while document.kind(root) == NodeKind::ShadowRoot {
        let Some(host) = document.host(root) else { break };
        depth = depth.saturating_add(1);
        root = document.root(host);
    }
    depth
}

/// The properties whose declarations can change anything. Most are asked one question, to which
/// the answer is no unless some declaration says otherwise: where none does, those that say no
/// (a font's size, a margin) need not be matched.
fn properties_that_matter(scopes: &Scopes, attributes: &StyleAttributes) -> [bool; Property::COUNT] {
    let mut matters = Property::ALL.map(Property::is_set_by_browsers);
    let in_sheets = scopes.sheets.iter().flat_map(|sheet| &sheet.declarations);
    for declaration in in_sheets.chain(attributes.declarations()) {
        // A keyword such as `inherit` takes over what another declaration has set.
        if !matches!(declaration.value, Value::Flag(false) | Value::Wide(_)) {
            matters[declaration.property as usize] = true;
        }
    }
    matters
}

/// The custom properties that values we read refer to, directly or through each other.
fn wanted_names(scopes: &Scopes, texts: &Texts, inline_names: &FxHashSet<Box<str>>) -> FxHashSet<Box<str>> {
    let mut names: FxHashSet<Box<str>> = inline_names.clone();
    for declaration in scopes.sheets.iter().flat_map(|sheet| &sheet.declarations) {
        if let Value::Unresolved(number) = declaration.value {
            super::variables::each_name(texts.get(number), |name| {
                names.insert(name.into());
            });
        }
    }
    // A few rounds reach what real pages chain; hostile chains end there.
    for _ in 0..8 {
        let before = names.len();
        if before == 0 {
            break;
        }
        for custom in scopes.sheets.iter().flat_map(|sheet| &sheet.custom) {
            if names.contains(&custom.name) && custom.value.contains("var(") {
                super::variables::each_name(&custom.value, |name| {
                    names.insert(name.into());
                });
            }
        }
        if names.len() == before {
            break;
        }
    }
    names
}

/// The matching of one tree.
struct Tree<'run, 'page> {
    document: &'page Document,
    matcher: &'run Matcher<'page>,
    sheets: &'run [Sheet],
    index: &'run RuleIndex,
    names: &'run FxHashSet<Box<str>>,
    depth: u16,
    quirks: QuirksMode,
    host: Option<NodeId>,
    caches: SelectorCaches,
    /// The best declarations for the element at hand, its `::before` and its `::after`; empty
    /// between elements.
    best: [Best; 3],
    cascade: &'run mut Cascade,
}

type Best = [Option<Winner>; Property::COUNT];

/// Where the pseudo-elements' declarations are kept in [`Tree::best`].
const BEFORE: usize = 1;
const AFTER: usize = 2;

impl Tree<'_, '_> {
    fn match_all(&mut self, root: NodeId) {
        let document = self.document;
        if let Some(host) = self.host {
            if !self.index.host.is_empty() {
                self.match_element(host, &Candidates::Host, None);
            }
            if !self.index.slotted.is_empty() {
                for child in document.element_children(host) {
                    if self.matcher.assigned_slot(child).is_some() {
                        self.match_element(child, &Candidates::Slotted, None);
                    }
                }
            }
        }
        if !self.index.part.is_empty() {
            for shadow in document.descendants(root).filter_map(|node| document.shadow_root(node)) {
                for node in document.descendants(shadow).filter(|&node| document.has_attribute(node, name::PART)) {
                    self.match_element(node, &Candidates::Part, None);
                }
            }
        }
        let mut filter = BloomFilter::new();
        let mut above: Vec<NodeId> = Vec::new();
        for node in document.descendants(root).filter(|&node| document.is_element(node)) {
            let parent = document.parent(node);
            while above.last().copied() != parent {
                let Some(left) = above.pop() else { break };
                self.matcher.each_hash(left, |hash| filter.remove_hash(hash));
            }
            self.match_element(node, &Candidates::Indexed, Some(&filter));
            if self.matcher.is_exhausted() {
                return;
            }
            if document.first_child(node).is_some() {
                self.matcher.each_hash(node, |hash| filter.insert_hash(hash));
                above.push(node);
            }
        }
    }

    fn match_element(&mut self, node: NodeId, candidates: &Candidates, filter: Option<&BloomFilter>) {
        let matcher = self.matcher;
        let element = matcher.element(node);
        let best = &mut self.best;
        let mut any = [false; 3];
        let (sheets, depth, names, host) = (self.sheets, self.depth, self.names, self.host);
        let mut custom = Vec::new();
        let quirks = self.quirks;
        let caches = &mut self.caches;
        let mut see = |rule: &IndexedRule| {
            matcher.charge(1);
            if filter.is_some_and(|filter| !selectors::matching::selector_may_match(&rule.hashes, filter)) {
                return;
            }
            let sheet = &sheets[rule.sheet];
            let source = &sheet.rules[rule.rule];
            let mode =
                if source.pseudo.is_some() { MatchingMode::ForStatelessPseudoElement } else { MatchingMode::Normal };
            let mut context: MatchingContext<'_, Grammar> =
                MatchingContext::new(mode, None, caches, quirks, NeedsSelectorFlags::No, MatchingForInvalidation::No);
            context.current_host = host.map(|host| selectors::Element::opaque(&matcher.element(host)));
            context.featureless = matches!(candidates, Candidates::Host);
            if !matches_selector(&source.selector, 0, None, element, &mut context) {
                return;
            }
            let target = match source.pseudo {
                None => 0,
                Some(PseudoElement::Before) => BEFORE,
                Some(_) => AFTER,
            };
            any[target] = true;
            let declarations =
                &sheet.declarations[source.declarations.start as usize..source.declarations.end as usize];
            let id = (short(rule.sheet), short(rule.rule));
            for (declared, declaration) in (0u32..).zip(declarations) {
                let Declaration { property, value, important } = *declaration;
                let precedence = Precedence::of_rule(rule, declared, important, depth);
                let slot = &mut best[target][property as usize];
                if slot.is_none_or(|winner| precedence >= winner.precedence) {
                    *slot = Some(Winner { property, value, precedence, rule: id });
                }
            }
            if source.pseudo.is_none() && !names.is_empty() {
                let declared = &sheet.custom[source.custom.start as usize..source.custom.end as usize];
                for (number, declaration) in (0u32..).zip(declared).filter(|(_, custom)| names.contains(&custom.name)) {
                    let precedence = Precedence::of_rule(rule, number, declaration.important, depth);
                    let (name, value) = (declaration.name.clone(), declaration.value.clone());
                    custom.push(CustomValue { precedence, name, value });
                }
            }
        };
        match candidates {
            Candidates::Indexed => {
                let classes = matcher.class_hashes(node);
                self.index.candidates(matcher.name_hash(node), matcher.id_hash(node), classes, &mut see);
            }
            Candidates::Host => self.index.host.iter().for_each(|&rule| see(&self.index.rules[rule as usize])),
            Candidates::Slotted => self.index.slotted.iter().for_each(|&rule| see(&self.index.rules[rule as usize])),
            Candidates::Part => self.index.part.iter().for_each(|&rule| see(&self.index.rules[rule as usize])),
        }
        if any[0] {
            for slot in &mut self.best[0] {
                if let Some(winner) = slot.take() {
                    self.cascade.push(node, winner);
                }
            }
        }
        for target in [BEFORE, AFTER].into_iter().filter(|&target| any[target]) {
            let winners = self.best[target].iter_mut().filter_map(Option::take);
            self.cascade.pseudo.entry((node, target == AFTER)).or_default().extend(winners);
        }
        if !custom.is_empty() {
            self.cascade.custom.entry(node).or_default().extend(custom);
        }
    }
}

/// Which rules are tried on an element.
enum Candidates {
    /// Those that its name, id and classes lead to.
    Indexed,
    /// Those with `:host`.
    Host,
    /// Those with `::slotted()`.
    Slotted,
    /// Those with `::part()`.
    Part,
}

fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
