//! The ways back to an element: path, selector and XPath on the page as captured.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::document::{Document, Name, Namespace, NodeId, NodeKind, name};

/// Computes locators for the elements of one document.
///
/// Every locator holds within one tree (the page, a frame's page or a shadow root); the chains
/// [`frame_hosts`](Self::frame_hosts) and [`shadow_hosts`](Self::shadow_hosts) lead there.
#[derive(Debug)]
pub struct Locator<'document> {
    document: &'document Document,
    /// Where each element stands among its siblings.
    places: Vec<Place>,
    /// The tree that each element is in.
    roots: Vec<NodeId>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// Its place among its element siblings, from 0.
    child: u32,
    /// Its place among those of its name, from 1.
    of_name: u32,
    /// Whether it is the only one of its name.
    only_one: bool,
    /// Whether no other element of its tree has its id, letter case ignored (quirks mode does).
    has_unique_id: bool,
}

impl<'document> Locator<'document> {
    /// Prepares locators for all elements in one pass.
    pub fn new(document: &'document Document) -> Self {
        let mut locator = Self {
            document,
            places: vec![Place::default(); document.len()],
            roots: vec![NodeId::DOCUMENT; document.len()],
        };
        // The element with each id, none if there are several.
        let mut ids: FxHashMap<(NodeId, Cow<'_, str>), Option<NodeId>> = FxHashMap::default();
        let mut counts = Counts::default();
        locator.place_children(NodeId::DOCUMENT, &mut counts);
        for node in document.composed_descendants(NodeId::DOCUMENT) {
            let root = document.parent(node).map_or(node, |parent| locator.roots[parent.index()]);
            locator.roots[node.index()] = root;
            if let Some(id) = document.attribute(node, name::ID).filter(|id| !id.is_empty()) {
                ids.entry((root, lowercase(id))).and_modify(|several| *several = None).or_insert(Some(node));
            }
            locator.place_children(node, &mut counts);
        }
        for node in ids.into_values().flatten() {
            locator.places[node.index()].has_unique_id = true;
        }
        locator
    }

    fn place_children(&mut self, parent: NodeId, counts: &mut Counts) {
        let document = self.document;
        for (at, child) in (0..).zip(document.element_children(parent)) {
            let count = counts.of(document, child);
            *count += 1;
            self.places[child.index()] = Place { child: at, of_name: *count, ..Place::default() };
        }
        for child in document.element_children(parent) {
            self.places[child.index()].only_one = *counts.of(document, child) == 1;
        }
        for child in document.element_children(parent) {
            *counts.of(document, child) = 0;
        }
    }

    /// `/0/1/2`: the places among element siblings from the document down; `$shadow0` and
    /// `$frame` step into a shadow root and a frame's page.
    pub fn path(&self, id: NodeId) -> String {
        self.trail(id).path
    }

    /// A CSS selector that matches this element and no other in its tree: from the nearest
    /// element with an id of its own down.
    pub fn selector(&self, id: NodeId) -> String {
        self.trail(id).selector().to_owned()
    }

    /// An XPath from the document node, or in a shadow tree from its root.
    pub fn xpath(&self, id: NodeId) -> String {
        self.trail(id).xpath().to_owned()
    }

    fn trail(&self, id: NodeId) -> Trail<'_, 'document> {
        let mut trail = Trail::new(self);
        trail.lead_to(id);
        trail
    }

    /// The frames around the element, outermost first.
    pub fn frame_hosts(&self, id: NodeId) -> Vec<NodeId> {
        self.hosts(id, NodeKind::Document)
    }

    /// The shadow hosts around the element within its frame, outermost first.
    pub fn shadow_hosts(&self, id: NodeId) -> Vec<NodeId> {
        self.hosts(id, NodeKind::ShadowRoot)
    }

    fn hosts(&self, id: NodeId, wanted: NodeKind) -> Vec<NodeId> {
        let mut hosts = Vec::new();
        let mut node = id;
        loop {
            let root = self.roots[node.index()];
            let kind = self.document.kind(root);
            let Some(host) = self.document.host(root) else { break };
            if kind == wanted {
                hosts.push(host);
            } else if kind == NodeKind::Document {
                break;
            }
            node = host;
        }
        hosts.reverse();
        hosts
    }

    /// The name of an HTML element if it can stand in selectors and XPaths as it is.
    fn plain_name(&self, id: NodeId) -> Option<&str> {
        let name = self.document.html_name(id).map(|name| self.document.name_text(name))?;
        let plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            && name.starts_with(|first: char| first.is_ascii_lowercase());
        plain.then_some(name)
    }
}

/// How many of the children looked at so far have each name.
#[derive(Default)]
struct Counts(Vec<u32>);

impl Counts {
    fn of(&mut self, document: &Document, element: NodeId) -> &mut u32 {
        const NAMESPACES: usize = 3;
        let namespace = match document.namespace(element) {
            Some(Namespace::Svg) => 1,
            Some(Namespace::MathMl) => 2,
            _ => 0,
        };
        let at = document.name(element).map_or(0, Name::index) * NAMESPACES + namespace;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        &mut self.0[at]
    }
}

/// The locators of one element after the other. What an element's locators have in common with
/// those of the element before is not written again, which is most in document order.
#[derive(Debug)]
pub(crate) struct Trail<'locator, 'document> {
    locator: &'locator Locator<'document>,
    path: String,
    /// Behind each other, the selectors and XPaths that the steps begin.
    selectors: String,
    xpaths: String,
    /// The way from the top of the page.
    steps: Vec<Step>,
    /// The way to the element asked for, from below.
    climbed: Vec<NodeId>,
}

/// A node on the way, and where its locators lie.
#[derive(Clone, Debug)]
struct Step {
    node: NodeId,
    path_end: usize,
    selector: Range<usize>,
    xpath: Range<usize>,
}

impl<'locator, 'document> Trail<'locator, 'document> {
    pub(crate) fn new(locator: &'locator Locator<'document>) -> Self {
        Self {
            locator,
            path: String::new(),
            selectors: String::new(),
            xpaths: String::new(),
            steps: Vec::new(),
            climbed: Vec::new(),
        }
    }

    /// Goes to a node, whose locators are ready then.
    pub(crate) fn lead_to(&mut self, id: NodeId) {
        let document = self.locator.document;
        self.climbed.clear();
        self.climbed.extend(std::iter::successors(Some(id), |&node| document.composed_parent(node)));
        let way = self.climbed.iter().rev();
        let common = self.steps.iter().zip(way).take_while(|(step, node)| step.node == **node).count();
        self.steps.truncate(common);
        let (path, selector, xpath) =
            self.steps.last().map_or((0, 0, 0), |step| (step.path_end, step.selector.end, step.xpath.end));
        self.path.truncate(path);
        self.selectors.truncate(selector);
        self.xpaths.truncate(xpath);
        for at in (0..self.climbed.len() - common).rev() {
            self.step(self.climbed[at]);
        }
    }

    /// See [`Locator::path`].
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// See [`Locator::selector`].
    pub(crate) fn selector(&self) -> &str {
        self.steps.last().map_or("", |step| &self.selectors[step.selector.clone()])
    }

    /// See [`Locator::xpath`].
    pub(crate) fn xpath(&self) -> &str {
        self.steps.last().map_or("", |step| &self.xpaths[step.xpath.clone()])
    }

    /// Goes on to a child of the node reached last, or to a tree that hangs on it.
    fn step(&mut self, node: NodeId) {
        let document = self.locator.document;
        let (mut selector, mut xpath) = (self.selectors.len(), self.xpaths.len());
        match document.kind(node) {
            NodeKind::Element => {
                let above = self.steps.last().cloned();
                let place = self.locator.places[node.index()];
                self.path.push('/');
                self.path.push_str(itoa::Buffer::new().format(place.child));
                xpath = self.step_of_xpath(node, place, above.as_ref());
                selector = self.step_of_selector(node, place, above.as_ref());
            }
            NodeKind::ShadowRoot => self.path.push_str("/$shadow0"),
            NodeKind::TemplateContents => self.path.push_str("/$template"),
            NodeKind::Document if node != NodeId::DOCUMENT => self.path.push_str("/$frame"),
            _ => {}
        }
        self.steps.push(Step {
            node,
            path_end: self.path.len(),
            selector: selector..self.selectors.len(),
            xpath: xpath..self.xpaths.len(),
        });
    }

    /// Writes an element's step of the XPath, and says where that begins.
    fn step_of_xpath(&mut self, element: NodeId, place: Place, above: Option<&Step>) -> usize {
        let kind = above.map(|above| self.locator.document.kind(above.node));
        let start = match above {
            Some(above) if kind == Some(NodeKind::Element) => above.xpath.start,
            _ => self.xpaths.len(),
        };
        if matches!(kind, Some(NodeKind::Element | NodeKind::Document)) {
            self.xpaths.push('/');
        }
        match self.locator.plain_name(element) {
            Some(name) if place.only_one => self.xpaths.push_str(name),
            Some(name) => push_counted(&mut self.xpaths, [name, "["], place.of_name, ']'),
            None => push_counted(&mut self.xpaths, ["*", "["], place.child + 1, ']'),
        }
        start
    }

    /// Writes an element's step of the selector, and says where that begins.
    fn step_of_selector(&mut self, element: NodeId, place: Place, above: Option<&Step>) -> usize {
        let document = self.locator.document;
        let mut start = self.selectors.len();
        if place.has_unique_id {
            self.selectors.push('#');
            self.selectors.push_str(&escape_identifier(document.attribute(element, name::ID).unwrap_or("")));
            return start;
        }
        let kind = above.map(|above| document.kind(above.node));
        if let Some(above) = above.filter(|_| kind == Some(NodeKind::Element)) {
            start = above.selector.start;
            self.selectors.push_str(" > ");
        }
        match self.locator.plain_name(element) {
            Some(name) if place.only_one => self.selectors.push_str(name),
            Some(name) => push_counted(&mut self.selectors, [name, ":nth-of-type("], place.of_name, ')'),
            None => push_counted(&mut self.selectors, ["", ":nth-child("], place.child + 1, ')'),
        }
        // The children of a shadow root have no element above them to begin at; a step that
        // is not tied to the top could match deeper down.
        if kind == Some(NodeKind::ShadowRoot) {
            self.selectors.push_str(SHADOW_TOP);
        }
        start
    }
}

fn push_counted(out: &mut String, before: [&str; 2], number: u32, behind: char) {
    before.into_iter().for_each(|part| out.push_str(part));
    out.push_str(itoa::Buffer::new().format(number));
    out.push(behind);
}

/// The text with ASCII letters in lower case.
fn lowercase(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}

/// Ties a step to the top of a shadow tree: nothing there has an element as its parent.
const SHADOW_TOP: &str = ":not(* > *)";

/// CSSOM, "serialize an identifier".
pub(crate) fn escape_identifier(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (at, character) in text.chars().enumerate() {
        let after_dash = at == 1 && text.starts_with('-');
        match character {
            '\0' => escaped.push('\u{fffd}'),
            '\u{1}'..='\u{1f}' | '\u{7f}' => push_code(&mut escaped, character),
            '0'..='9' if at == 0 || after_dash => push_code(&mut escaped, character),
            '-' if text.len() == 1 => escaped.push_str("\\-"),
            '-' | '_' | 'a'..='z' | 'A'..='Z' | '0'..='9' | '\u{80}'.. => escaped.push(character),
            _ => {
                escaped.push('\\');
                escaped.push(character);
            }
        }
    }
    escaped
}

fn push_code(escaped: &mut String, character: char) {
    // Writing to a string cannot fail.
    let _ = write!(escaped, "\\{:x} ", u32::from(character));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{ParseOptions, parse_html};

    fn locators(html: &str, wanted: &str) -> Vec<(String, String, String)> {
        let document = parse_html(html, &ParseOptions::default()).expect("parses").document;
        let locator = Locator::new(&document);
        let found = document.composed_descendants(NodeId::DOCUMENT).filter(|&node| document.local_name(node) == wanted);
        found.map(|node| (locator.path(node), locator.selector(node), locator.xpath(node))).collect()
    }

    fn located(path: &str, selector: &str, xpath: &str) -> (String, String, String) {
        (path.to_owned(), selector.to_owned(), xpath.to_owned())
    }

    #[test]
    fn locators_begin_at_the_nearest_unique_id() {
        assert_eq!(
            locators("<ul id=menu><li><a>1</a><li><a>2</a></ul>", "a")[1],
            located("/0/1/0/1/0", "#menu > li:nth-of-type(2) > a", "/html/body/ul/li[2]/a")
        );
    }

    #[test]
    fn ids_that_need_escapes_or_occur_twice_are_handled() {
        let html = "<p id='2nd:row'><b></b><p id=Dup><b></b><p id=dup><b></b><p id=''><b></b>";
        let selectors: Vec<_> = locators(html, "b").into_iter().map(|(_, selector, _)| selector).collect();
        assert_eq!(
            selectors,
            [
                "#\\32 nd\\:row > b",
                "html > body > p:nth-of-type(2) > b",
                "html > body > p:nth-of-type(3) > b",
                "html > body > p:nth-of-type(4) > b"
            ]
        );
    }

    #[test]
    fn names_that_selectors_or_xpath_read_otherwise_are_counted_instead() {
        assert_eq!(
            locators("<i></i><svg><path/><foreignObject><b></b></foreignObject></svg><o:p><u></u></o:p>", "b")[0],
            located("/0/1/1/1/0", "html > body > :nth-child(2) > :nth-child(2) > b", "/html/body/*[2]/*[2]/b")
        );
    }

    #[test]
    fn shadow_trees_and_frames_have_locators_of_their_own() {
        let html = "<div><template shadowrootmode=open><p><b></b></p><b></b></template></div><iframe srcdoc='<b></b>'></iframe>";
        assert_eq!(
            locators(html, "b"),
            [
                located("/0/1/0/$shadow0/0/0", "p:not(* > *) > b", "p/b"),
                located("/0/1/0/$shadow0/1", "b:not(* > *)", "b"),
                located("/0/1/1/$frame/0/1/0", "html > body > b", "/html/body/b"),
            ]
        );
    }
}
