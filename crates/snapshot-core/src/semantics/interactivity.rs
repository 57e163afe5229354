//! What a person can operate, and the evidence for it.

use std::collections::BTreeSet;

use super::labels::Labels;
use super::roles::Role;
use super::style::Styles;
use super::values::{input_kind, is_editing_host};
use super::visibility::{Visibilities, Visibility};
use crate::document::{Document, Marks, Name, NodeId, name};
use crate::flat_tree::FlatTree;

/// Why an element may be acted on: a set of reasons.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Evidence(u16);

impl Evidence {
    /// A native control: link with address, button, input, select, textarea, summary, media with
    /// controls.
    pub const NATIVE: Self = Self(1);
    /// A widget role.
    pub const ROLE: Self = Self(1 << 1);
    /// Content that can be edited in place.
    pub const CONTENTEDITABLE: Self = Self(1 << 2);
    /// In the tab order by `tabindex`.
    pub const TABINDEX: Self = Self(1 << 3);
    /// An inline handler such as `onclick`, or an attribute by which a framework sets one.
    pub const HANDLER: Self = Self(1 << 4);
    /// A captured event listener.
    pub const LISTENER: Self = Self(1 << 5);
    /// `cursor: pointer` that is not inherited, on what is no native control.
    pub const CURSOR: Self = Self(1 << 6);
    /// The label of a control that is itself not shown.
    pub const LABEL: Self = Self(1 << 7);

    const NAMES: &[(Self, &str)] = &[
        (Self::NATIVE, "native"),
        (Self::ROLE, "role"),
        (Self::CONTENTEDITABLE, "contenteditable"),
        (Self::TABINDEX, "tabindex"),
        (Self::HANDLER, "handler"),
        (Self::LISTENER, "listener"),
        (Self::CURSOR, "cursor"),
        (Self::LABEL, "label"),
    ];

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether all of `other` is in the set.
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both together.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The reasons' words, strongest first.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES.iter().filter(move |(flag, _)| self.contains(*flag)).map(|(_, word)| *word)
    }
}

/// Gathers the evidence for each element.
pub(super) fn compute(
    document: &Document,
    flat_tree: &FlatTree,
    styles: &Styles,
    visibility: &Visibilities,
    roles: &[Option<Role>],
    labels: &Labels,
) -> Vec<Evidence> {
    let handlers = HandlerNames::find(document);
    let acting = ACTING.with(handlers.marks);
    let mut evidence = vec![Evidence::default(); document.len()];
    // Whether there is a target at or above each position, and whether content is edited there.
    let mut inside: Vec<(bool, bool)> = Vec::with_capacity(flat_tree.len());
    for (position, &node) in flat_tree.nodes().iter().enumerate() {
        let parent = flat_tree.parent_position(position);
        let (in_target, edited) = parent.map_or((false, false), |parent| inside[parent]);
        if !document.is_element(node) {
            inside.push((in_target, edited));
            continue;
        }
        if !may_be_target(document, node) && !document.may_have_any(node, acting) {
            // Of everything else only a pointer can make a target.
            let pointer =
                !in_target && !is_option(document, node) && has_own_pointer(document, styles, flat_tree, node);
            if pointer && !matches!(document.html_name(node), Some(name::HTML | name::BODY)) {
                evidence[node.index()] = Evidence::CURSOR;
            }
            inside.push((in_target || !evidence[node.index()].is_empty(), edited));
            continue;
        }
        let mut found = Evidence::default();
        let mut add = |condition: bool, reason: Evidence| {
            if condition {
                found = found.with(reason);
            }
        };
        let role = roles[node.index()];
        let editing = is_editing_host(document, node);
        let page = matches!(document.html_name(node), Some(name::HTML | name::BODY));
        add(is_native(document, node), Evidence::NATIVE);
        add(role.is_some_and(|role| has_widget_role(document, node, role)), Evidence::ROLE);
        add(editing && !edited, Evidence::CONTENTEDITABLE);
        if !page {
            add(is_tabbable(document, node, role), Evidence::TABINDEX);
            add(handlers.is_on(document, node), Evidence::HANDLER);
            if !in_target && !is_option(document, node) {
                // Of native controls the browser's own sheet says so too: no further evidence.
                let pointer = !is_native(document, node) && has_own_pointer(document, styles, flat_tree, node);
                add(pointer, Evidence::CURSOR);
            }
            if document.is_html(node, name::LABEL) && !in_target {
                let hidden = labels.control(node).is_some_and(|control| visibility.of(control) != Visibility::Visible);
                add(hidden, Evidence::LABEL);
            }
        }
        inside.push((in_target || !found.is_empty(), edited || editing));
        evidence[node.index()] = found;
    }
    evidence
}

/// Adds what a browser has told of event listeners. An element that listens for what happens to
/// something inside it (a list for its rows, an application for all of its page) is itself no
/// target: only the innermost of what listens or can be operated is.
pub(super) fn add_listeners(
    document: &Document,
    flat_tree: &FlatTree,
    listening: &BTreeSet<NodeId>,
    evidence: &mut [Evidence],
) {
    // Whether anything inside each position listens or is a target; children come after parents.
    let mut inside = vec![false; flat_tree.len()];
    for (position, &node) in flat_tree.nodes().iter().enumerate().rev() {
        let listens = listening.contains(&node);
        let is_target = !evidence[node.index()].is_empty();
        let page = matches!(document.html_name(node), Some(name::HTML | name::BODY | name::FORM));
        if listens && !page && (is_target || !inside[position]) {
            evidence[node.index()] = evidence[node.index()].with(Evidence::LISTENER);
        }
        if (listens || is_target || inside[position])
            && let Some(parent) = flat_tree.parent_position(position)
        {
            inside[parent] = true;
        }
    }
}

/// The attributes, besides those that set handlers, by which any element can be a target.
const ACTING: Marks = Marks::of_all(&[name::ROLE, name::CONTENTEDITABLE, name::TABINDEX]);

/// Whether an element of this name can be a target by itself or through its control.
fn may_be_target(document: &Document, node: NodeId) -> bool {
    matches!(
        document.name(node),
        Some(
            name::A
                | name::AREA
                | name::BUTTON
                | name::SELECT
                | name::TEXTAREA
                | name::INPUT
                | name::SUMMARY
                | name::AUDIO
                | name::VIDEO
                | name::LABEL
        )
    )
}

fn is_native(document: &Document, node: NodeId) -> bool {
    let has = |attribute: Name| document.has_attribute(node, attribute);
    match document.html_name(node) {
        Some(name::A | name::AREA) => has(name::HREF),
        Some(name::BUTTON | name::SELECT | name::TEXTAREA) => true,
        Some(name::INPUT) => input_kind(document, node) != "hidden",
        Some(name::SUMMARY) => document.parent(node).is_some_and(|parent| document.is_html(parent, name::DETAILS)),
        Some(name::AUDIO | name::VIDEO) => has(name::CONTROLS),
        Some(_) => false,
        None => document.name(node) == Some(name::A) && (has(name::HREF) || has(name::XLINK_HREF)),
    }
}

/// Whether the `role` attribute makes a control of the element. Cells of a grid are controls only
/// when they can be reached; native options are chosen through their list.
fn has_widget_role(document: &Document, node: NodeId, role: Role) -> bool {
    if !document.has_attribute(node, name::ROLE) || is_option(document, node) {
        return false;
    }
    match role {
        Role::ListBox | Role::Scrollbar => document.has_attribute(node, name::TABINDEX),
        role => role.is_interactive(),
    }
}

fn is_option(document: &Document, node: NodeId) -> bool {
    matches!(document.html_name(node), Some(name::OPTION | name::OPTGROUP))
}

/// Whether `tabindex` puts something into the tab order that is there to be operated, and not
/// only scrolled, read out or jumped to.
fn is_tabbable(document: &Document, node: NodeId, role: Option<Role>) -> bool {
    let index = document.attribute(node, name::TABINDEX).and_then(|index| index.trim().parse::<i64>().ok());
    index.is_some_and(|index| index >= 0) && !role.is_some_and(Role::is_only_read)
}

/// A pointer that begins here: the element has one and what is around it has not. A pointer set
/// on the whole page says nothing.
fn has_own_pointer(document: &Document, styles: &Styles, flat_tree: &FlatTree, node: NodeId) -> bool {
    let style = styles.of(node);
    style.cursor_pointer
        && !style.pointer_events_none
        && !document.is_html(node, name::LABEL)
        && !flat_tree.parent(node).is_some_and(|parent| styles.of(parent).cursor_pointer)
}

/// The attributes by which this document sets handlers.
struct HandlerNames {
    /// Whether each name is one of them, by its number.
    is_handler: Vec<bool>,
    marks: Marks,
}

impl HandlerNames {
    /// Attributes of frameworks that set a handler for clicks: Vue, Angular, AngularJS, Alpine,
    /// Svelte and lit as they stand in markup.
    const FRAMEWORKS: &[&str] = &[
        "@click",
        "v-on:click",
        "(click)",
        "on-click",
        "ng-click",
        "data-ng-click",
        "x-on:click",
        "on:click",
        "hx-get",
        "hx-post",
        "hx-put",
        "hx-delete",
        "phx-click",
        "wire:click",
        "jsaction",
    ];

    fn find(document: &Document) -> Self {
        let mut names = vec![
            name::ONCLICK,
            name::ONDBLCLICK,
            name::ONMOUSEDOWN,
            name::ONMOUSEUP,
            name::ONPOINTERDOWN,
            name::ONPOINTERUP,
            name::ONTOUCHSTART,
            name::ONTOUCHEND,
            name::ONKEYDOWN,
            name::ONKEYPRESS,
            name::ONKEYUP,
        ];
        names.extend(Self::FRAMEWORKS.iter().filter_map(|text| document.find_name(text)));
        let length = names.iter().map(|name| name.index() + 1).max().unwrap_or(0);
        let mut is_handler = vec![false; length];
        let marks = Marks::of_all(&names);
        for name in names {
            is_handler[name.index()] = true;
        }
        Self { is_handler, marks }
    }

    fn is_on(&self, document: &Document, node: NodeId) -> bool {
        // A form hears the keys and clicks of its fields; it is not itself a thing to click.
        if matches!(document.html_name(node), Some(name::FORM | name::FRAMESET)) || is_option(document, node) {
            return false;
        }
        document.attributes(node).any(|attribute| {
            self.is_handler.get(attribute.name.index()).copied().unwrap_or_default()
                && !attribute.value.trim().is_empty()
                && (attribute.name.index() != name::ONCLICK.index() || !is_no_handler(attribute.value))
        })
    }
}

/// Handlers that only keep an event from others.
fn is_no_handler(code: &str) -> bool {
    matches!(
        code.trim().trim_end_matches(';').trim(),
        "" | "return false" | "return true" | "void(0)" | "event.stopPropagation()" | "event.preventDefault()"
    )
}

#[cfg(test)]
mod tests {
    use crate::{Page, PageOptions};

    /// The evidence of each target, as `tag:word+word`.
    fn targets(html: &str) -> String {
        let page = Page::read(html.as_bytes(), &PageOptions::default()).expect("reads");
        let (document, semantics) = (page.document(), page.semantics());
        let all = document.composed_descendants(crate::document::NodeId::DOCUMENT);
        let words = all.filter(|&node| semantics.is_target(node)).map(|node| {
            let words: Vec<_> = semantics.evidence(node).words().collect();
            format!("{}:{}", document.local_name(node), words.join("+"))
        });
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn evidence_is_given_for_what_can_be_operated_and_nothing_else() {
        for (html, expected) in [
            (
                "<a href=x>a</a><a>b</a><button>c</button><input type=hidden><input>",
                "a:native button:native input:native",
            ),
            ("<details><summary>a</summary><p>b</p></details><summary>c</summary>", "summary:native"),
            ("<video controls></video><video></video>", "video:native"),
            ("<select><option>a<option onclick='x()'>b</select>", "select:native"),
            ("<ul role=listbox><li role=option>a</ul>", "li:role"),
            ("<div role=tab tabindex=0>a</div><div role=gridcell>b</div>", "div:role+tabindex"),
            (
                "<div contenteditable><p contenteditable>a</p></div><div contenteditable=false>b</div>",
                "div:contenteditable",
            ),
            ("<div contenteditable='plaintext-only'>a</div>", "div:contenteditable"),
            ("<div tabindex=0>a</div><h2 tabindex=0>b</h2><div tabindex=-1>c</div>", "div:tabindex"),
            (
                "<span onclick='go()'>a</span><span onclick='return false'>b</span><form onclick='go()'>c</form>",
                "span:handler",
            ),
            ("<body onclick='go()'><p onkeydown='go()'>a", "p:handler"),
            ("<i @click='go'>a</i><i ng-click='go()'>b</i>", "i:handler i:handler"),
            ("<div style='cursor:pointer'><b style='cursor:pointer'>a</b></div>", "div:cursor"),
            ("<button style='cursor:pointer'><b style='cursor:pointer'>a</b></button>", "button:native"),
            ("<body style='cursor:pointer'><p>a<p>b", ""),
            ("<label><input type=checkbox hidden>a</label>", "label:label input:native"),
            ("<label><input type=checkbox>a</label><label for=z>b</label>", "input:native"),
            ("<input id=z style='display:none'><label for=z>b</label>", "input:native label:label"),
        ] {
            assert_eq!(targets(html), expected, "{html}");
        }
    }
}
