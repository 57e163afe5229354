//! The ways back to an element: path, selector and XPath on the page as captured.

use rustc_hash::FxHashMap;

use crate::document::{Document, Name, Namespace, NodeId, NodeKind, name};

/// Computes locators for the elements of one document.
///
/// Every locator holds within one tree (the page, a frame's page or a shadow root); the chains
/// [`frame_hosts`](Self::frame_hosts) and [`shadow_hosts`](Self::shadow_hosts) lead there.
#[derive(Debug)]
pub struct Locator<'document> {
    document: &'document Document,
    /// For each element: its place among its element siblings and among those of its name, from
    /// 0 and 1, and whether it is the only one of its name.
    places: Vec<Place>,
    /// The tree that each element is in.
    roots: Vec<NodeId>,
    /// How many elements of a tree have an id, letter case ignored (quirks mode does).
    ids: FxHashMap<(NodeId, String), u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    child: u32,
    of_name: u32,
    only_one: bool,
}

impl<'document> Locator<'document> {
    /// Prepares locators for all elements in one pass.
    pub fn new(document: &'document Document) -> Self {
        let mut locator = Self {
            document,
            places: vec![Place::default(); document.len()],
            roots: vec![NodeId::DOCUMENT; document.len()],
            ids: FxHashMap::default(),
        };
        let mut parents = vec![NodeId::DOCUMENT];
        for node in document.composed_descendants(NodeId::DOCUMENT) {
            locator.roots[node.index()] = document.parent(node).map_or(node, |parent| locator.roots[parent.index()]);
            if let Some(id) = document.attribute(node, name::ID) {
                let key = (locator.roots[node.index()], id.to_ascii_lowercase());
                *locator.ids.entry(key).or_default() += 1;
            }
            if document.first_child(node).is_some() {
                parents.push(node);
            }
        }
        let mut counts: FxHashMap<(Namespace, Name), u32> = FxHashMap::default();
        for parent in parents {
            counts.clear();
            for (at, child) in (0..).zip(document.element_children(parent)) {
                let count = counts.entry(locator.kind(child)).or_default();
                *count += 1;
                locator.places[child.index()] = Place { child: at, of_name: *count, only_one: false };
            }
            for child in document.element_children(parent) {
                locator.places[child.index()].only_one = counts.get(&locator.kind(child)) == Some(&1);
            }
        }
        locator
    }

    /// `/0/1/2`: the places among element siblings from the document down; `$shadow0` and
    /// `$frame` step into a shadow root and a frame's page.
    pub fn path(&self, id: NodeId) -> String {
        let mut steps = Vec::new();
        let mut node = id;
        loop {
            match self.document.kind(node) {
                NodeKind::Element => steps.push(self.places[node.index()].child.to_string()),
                NodeKind::ShadowRoot => steps.push("$shadow0".to_owned()),
                NodeKind::TemplateContents => steps.push("$template".to_owned()),
                NodeKind::Document if node != NodeId::DOCUMENT => steps.push("$frame".to_owned()),
                _ => {}
            }
            let Some(above) = self.document.composed_parent(node) else { break };
            node = above;
        }
        let mut path = String::new();
        for step in steps.iter().rev() {
            path.push('/');
            path.push_str(step);
        }
        path
    }

    /// A CSS selector that matches this element and no other in its tree: from the nearest
    /// element with an id of its own down.
    pub fn selector(&self, id: NodeId) -> String {
        let mut steps = Vec::new();
        let mut node = Some(id).filter(|&id| self.document.is_element(id));
        while let Some(element) = node {
            if let Some(unique) = self.unique_id(element) {
                steps.push(format!("#{}", escape_identifier(unique)));
                break;
            }
            let parent = self.document.parent(element);
            let place = self.places[element.index()];
            steps.push(match self.plain_name(element) {
                Some(name) if place.only_one => name.to_owned(),
                Some(name) => format!("{name}:nth-of-type({})", place.of_name),
                None => format!(":nth-child({})", place.child + 1),
            });
            node = parent.filter(|&parent| self.document.is_element(parent));
            // The children of a shadow root have no element above them to begin at; a step that
            // is not tied to the top could match deeper down.
            if parent.is_some_and(|parent| self.document.kind(parent) == NodeKind::ShadowRoot)
                && let Some(top) = steps.last_mut()
            {
                top.push_str(SHADOW_TOP);
            }
        }
        steps.reverse();
        steps.join(" > ")
    }

    /// An XPath from the document node, or in a shadow tree from its root.
    pub fn xpath(&self, id: NodeId) -> String {
        let mut steps = Vec::new();
        let mut node = id;
        while self.document.is_element(node) {
            let place = self.places[node.index()];
            steps.push(match self.plain_name(node) {
                Some(name) if place.only_one => name.to_owned(),
                Some(name) => format!("{name}[{}]", place.of_name),
                None => format!("*[{}]", place.child + 1),
            });
            match self.document.parent(node) {
                Some(parent) => node = parent,
                None => break,
            }
        }
        if self.document.kind(node) == NodeKind::Document {
            steps.push(String::new());
        }
        steps.reverse();
        steps.join("/")
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

    fn kind(&self, id: NodeId) -> (Namespace, Name) {
        let namespace = self.document.namespace(id).unwrap_or(Namespace::Html);
        (namespace, self.document.name(id).unwrap_or(name::DIV))
    }

    /// The name of an HTML element if it can stand in selectors and XPaths as it is.
    fn plain_name(&self, id: NodeId) -> Option<&str> {
        let name = self.document.html_name(id).map(|name| self.document.name_text(name))?;
        let plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            && name.starts_with(|first: char| first.is_ascii_lowercase());
        plain.then_some(name)
    }

    fn unique_id(&self, id: NodeId) -> Option<&'document str> {
        let value = self.document.attribute(id, name::ID).filter(|value| !value.is_empty())?;
        let key = (self.roots[id.index()], value.to_ascii_lowercase());
        (self.ids.get(&key) == Some(&1)).then_some(value)
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
    use std::fmt::Write;
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
