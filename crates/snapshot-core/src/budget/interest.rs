//! How much each element of a draft has to do with the task.

use super::units::{UnitKind, Units};
use crate::document::{Name, NodeId, name};
use crate::draft::Draft;
use crate::text::relevance::{Profile, Query, Ranking};

/// Scores between 0 and 1, addressed by [`NodeId`]; the most relevant unit has 1.
#[derive(Clone, Debug)]
pub(crate) struct Interest {
    ranking: Ranking,
    best: f64,
    /// Of what the node says itself, as a unit.
    own: Vec<f32>,
    /// The greatest of the node and all below it.
    within: Vec<f32>,
    /// With what it stands beside taken into account.
    near: Vec<f32>,
}

/// What is left of a score for those that stand beside its element, for each step up the tree
/// where others stand beside.
const NEARNESS: f32 = 0.65;

/// The same, in a row: its cells belong together.
const ROW_NEARNESS: f32 = 0.9;

/// Attributes that say what an element is for.
const TELLING: &[Name] = &[
    name::PLACEHOLDER,
    name::TITLE,
    name::ALT,
    name::NAME,
    name::ID,
    name::CLASS,
    name::TYPE,
    name::REL,
    name::AUTOCOMPLETE,
];

/// What the name of a region counts for what is in it.
const HOLDER: f32 = 0.8;

/// Longer names are the text of what they name.
const LONGEST_NAME: usize = 120;

impl Interest {
    /// Scores every unit of the draft.
    pub(crate) fn new(draft: &Draft<'_>, task: &str) -> Self {
        let document = draft.document();
        let units = Units::find(draft);
        let query = Query::new(task, language(draft));
        let profiles: Vec<Profile> = units
            .list()
            .iter()
            .map(|unit| {
                let texts = unit.content.iter().map(|&text| document.text(text));
                // What the page's makers call things, often in English whatever its language.
                let attributes = document
                    .attributes(unit.node)
                    .filter(|attribute| {
                        TELLING.contains(&attribute.name)
                            || (document.name_text(attribute.name).starts_with("data-") && attribute.value.len() < 60)
                    })
                    .map(|attribute| attribute.value);
                let address = document.attribute(unit.node, name::HREF).map(|address| {
                    let path = address.split_once("://").map_or(address, |(_, rest)| rest);
                    path.split(['?', '#']).next().unwrap_or(path)
                });
                let accessible = draft.name(unit.node);
                let fields = [(1.5, accessible)]
                    .into_iter()
                    .chain(texts.map(|text| (1.0, text)))
                    .chain(draft.value(unit.node).map(|value| (0.7, value)))
                    .chain(attributes.map(|attribute| (0.4, attribute)))
                    .chain(address.map(|address| (0.5, address)));
                query.profile(fields)
            })
            .collect();
        let ranking = Ranking::new(query, &profiles);
        let scores: Vec<f64> = profiles.iter().map(|profile| ranking.score(profile)).collect();
        let best = scores.iter().copied().fold(0.0, f64::max);
        let mut interest = Self { ranking, best, own: vec![0.0; document.len()], within: Vec::new(), near: Vec::new() };
        for (unit, score) in units.list().iter().zip(scores) {
            if unit.kind != UnitKind::Note {
                interest.own[unit.node.index()] = interest.share(score);
            }
        }
        interest.score_holders(draft, &units);
        interest.spread(draft);
        interest
    }

    /// Scores what holds units under a name: a region, a group, a table.
    fn score_holders(&mut self, draft: &Draft<'_>, units: &Units) {
        let document = draft.document();
        for node in document.composed_descendants(NodeId::DOCUMENT) {
            let name = draft.name(node);
            if document.is_element(node) && units.home(node).is_none() && !name.is_empty() && name.len() < LONGEST_NAME
            {
                self.own[node.index()] = HOLDER * self.of_text(name);
            }
        }
    }

    /// The score of a text by itself.
    pub(crate) fn of_text(&self, text: &str) -> f32 {
        self.share(self.ranking.score(&self.ranking.query().profile([(1.0, text)])))
    }

    /// The greatest score of the element and all below it.
    pub(crate) fn within(&self, node: NodeId) -> f32 {
        self.within.get(node.index()).copied().unwrap_or_default()
    }

    /// The element's own score, or what is left of that of those it stands beside.
    pub(crate) fn near(&self, node: NodeId) -> f32 {
        self.near.get(node.index()).copied().unwrap_or_default()
    }

    #[allow(clippy::cast_possible_truncation, reason = "a share of 1")]
    fn share(&self, score: f64) -> f32 {
        if self.best > 0.0 { (score / self.best).min(1.0) as f32 } else { 0.0 }
    }

    /// Carries scores up to what holds an element, and down to what stands beside it.
    fn spread(&mut self, draft: &Draft<'_>) {
        let document = draft.document();
        let nodes: Vec<NodeId> = document.composed_descendants(NodeId::DOCUMENT).collect();
        self.within = self.own.clone();
        let mut children = vec![0u32; document.len()];
        for &node in nodes.iter().rev() {
            let Some(parent) = document.composed_parent(node) else { continue };
            self.within[parent.index()] = self.within[parent.index()].max(self.within[node.index()]);
            if document.is_element(node) {
                children[parent.index()] += 1;
            }
        }
        // What holds an element is as near to it as the steps between them are few.
        let mut held = self.own.clone();
        for &node in nodes.iter().rev() {
            let Some(parent) = document.composed_parent(node) else { continue };
            let kept = if children[parent.index()] > 1 { self.nearness(draft, parent) } else { 1.0 };
            held[parent.index()] = held[parent.index()].max(held[node.index()] * kept);
        }
        self.near = held;
        for &node in &nodes {
            let Some(parent) = document.composed_parent(node) else { continue };
            let kept = if children[parent.index()] > 1 { self.nearness(draft, parent) } else { 1.0 };
            self.near[node.index()] = self.near[node.index()].max(self.near[parent.index()] * kept);
        }
    }

    fn nearness(&self, draft: &Draft<'_>, parent: NodeId) -> f32 {
        let document = draft.document();
        if document.is_html(parent, name::TR) || document.is_html(parent, name::LABEL) {
            ROW_NEARNESS
        } else {
            NEARNESS
        }
    }
}

/// The language that the page says it is in.
fn language<'draft>(draft: &'draft Draft<'_>) -> &'draft str {
    let document = draft.document();
    document.element_children(NodeId::DOCUMENT).find_map(|root| document.attribute(root, name::LANG)).unwrap_or("en")
}
