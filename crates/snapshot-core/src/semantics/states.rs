//! States and properties of controls (WAI-ARIA 1.2, HTML-AAM).

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::labels::Labels;
use super::roles::Role;
use super::secrets;
use super::values;
use crate::document::{Document, Marks, Name, NodeId, NodeMap, name};
use crate::flat_tree::FlatTree;

/// False, true or in between.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tristate {
    /// Not so.
    #[default]
    False,
    /// So.
    True,
    /// Partly so.
    Mixed,
}

/// The states that are written out; the default is "none of them".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct States {
    /// Ticked; only of checkboxes, radios, switches and their kin.
    pub checked: Tristate,
    /// Cannot be operated now.
    pub disabled: bool,
    /// Open or not, where that can be said.
    pub expanded: Option<bool>,
    /// Has the focus.
    pub active: bool,
    /// Its value is not accepted.
    pub invalid: bool,
    /// The level of a heading or of an item in a tree; 0 where there is none.
    pub level: u32,
    /// A toggle button that is in.
    pub pressed: Tristate,
    /// Must be filled in.
    pub required: bool,
    /// Chosen among its siblings.
    pub selected: bool,
    /// Can be read but not changed.
    pub readonly: bool,
}

impl States {
    /// Those of the states that the role supports (WAI-ARIA 1.2, "Used in Roles" and "Inherits
    /// into Roles" of each state). Whether something is disabled is kept for elements without a
    /// role, which may be targets all the same.
    #[must_use]
    pub fn of_role(self, role: Option<Role>) -> Self {
        let Some(role) = role else { return Self { disabled: self.disabled, ..Self::default() } };
        let supported = supported(role);
        let has = |state| supported & state != 0;
        Self {
            checked: if has(CHECKED) { self.checked } else { Tristate::False },
            disabled: self.disabled && has(DISABLED),
            expanded: self.expanded.filter(|_| has(EXPANDED)),
            active: self.active,
            invalid: self.invalid && has(INVALID),
            level: match (has(LEVEL), self.level) {
                (false, _) => 0,
                // HTML-AAM: a heading without a level is on the second.
                (true, 0) if role == Role::Heading => 2,
                (true, level) => level,
            },
            pressed: if has(PRESSED) { self.pressed } else { Tristate::False },
            required: self.required && has(REQUIRED),
            selected: self.selected && has(SELECTED),
            readonly: self.readonly && has(READONLY),
        }
    }
}

const CHECKED: u16 = 1;
const DISABLED: u16 = 1 << 1;
const EXPANDED: u16 = 1 << 2;
const INVALID: u16 = 1 << 3;
const LEVEL: u16 = 1 << 4;
const PRESSED: u16 = 1 << 5;
const REQUIRED: u16 = 1 << 6;
const SELECTED: u16 = 1 << 7;
const READONLY: u16 = 1 << 8;

/// What a field for text has.
const FIELD: u16 = DISABLED | INVALID | REQUIRED | READONLY;

/// The states that each role supports (WAI-ARIA 1.2, section 5.4). A native radio button may be
/// required, a link may be disabled.
fn supported(role: Role) -> u16 {
    match role {
        Role::Application => DISABLED | EXPANDED | INVALID,
        Role::Button => DISABLED | EXPANDED | PRESSED,
        Role::Checkbox | Role::Switch => CHECKED | EXPANDED | FIELD,
        Role::ColumnHeader | Role::RowHeader | Role::GridCell => EXPANDED | SELECTED | FIELD,
        Role::ComboBox | Role::ListBox => EXPANDED | FIELD,
        Role::Generic
        | Role::Group
        | Role::Menu
        | Role::MenuBar
        | Role::Scrollbar
        | Role::Separator
        | Role::TabList
        | Role::Toolbar => DISABLED,
        Role::Grid | Role::TreeGrid => DISABLED | READONLY,
        Role::Heading | Role::ListItem | Role::Comment => LEVEL,
        Role::Link | Role::MenuItem => DISABLED | EXPANDED,
        Role::MenuItemCheckbox | Role::MenuItemRadio => CHECKED | DISABLED | EXPANDED,
        Role::Option => CHECKED | DISABLED | SELECTED,
        Role::Radio => CHECKED | DISABLED | REQUIRED,
        Role::RadioGroup => FIELD,
        Role::Row => DISABLED | EXPANDED | LEVEL | SELECTED,
        Role::SearchBox | Role::SpinButton | Role::TextBox => FIELD,
        Role::Slider => DISABLED | INVALID | READONLY,
        Role::Tab => DISABLED | EXPANDED | SELECTED,
        Role::Tree => DISABLED | INVALID | REQUIRED,
        Role::TreeItem => CHECKED | DISABLED | EXPANDED | LEVEL | SELECTED,
        _ => 0,
    }
}

/// States and values of one document; most elements have none.
#[derive(Clone, Debug, Default)]
pub struct StateTable {
    records: NodeMap<Record>,
}

/// What is known of an element of which anything is.
#[derive(Clone, Debug, Default)]
struct Record {
    states: States,
    value: Option<String>,
    is_secret: bool,
}

impl StateTable {
    pub(super) fn compute(
        document: &Document,
        flat_tree: &FlatTree,
        roles: &[Option<Role>],
        labels: &Labels,
        active: Option<NodeId>,
    ) -> Self {
        let usage = document.usage();
        let disabled = if usage.may_have_attribute(DISABLING) { disabled(document, flat_tree) } else { Vec::new() };
        let may_have_choices = usage.has_element(name::SELECT) || usage.may_have_attribute(Marks::of(name::CHECKED));
        let choices = if may_have_choices { Choices::find(document, flat_tree) } else { Choices::default() };
        let mut table = Self::default();
        let mut opened = BTreeSet::new();
        for (position, &node) in flat_tree.nodes().iter().enumerate() {
            if !document.is_element(node) {
                continue;
            }
            let is_disabled = disabled.get(position).copied().unwrap_or_default();
            let around = States { disabled: is_disabled, active: active == Some(node), ..States::default() };
            if !document.may_have_any(node, STATING) && !has_own_states(document, node) {
                if around != States::default() {
                    table.records.get_or_default(node).states = around;
                }
                continue;
            }
            let mut states = States { disabled: around.disabled, active: around.active, ..own_states(document, node) };
            if document.is_html(node, name::OPTION) && choices.is_in_select(node) {
                states.selected = choices.is_chosen(node);
            }
            if states.checked == Tristate::True && choices.is_unticked(node) {
                states.checked = Tristate::False;
            }
            if states.expanded.is_none() && document.is_html(node, name::SUMMARY) {
                states.expanded = document
                    .parent(node)
                    .filter(|&details| document.is_html(details, name::DETAILS) && opened.insert(details))
                    .map(|details| document.has_attribute(details, name::OPEN));
            }
            if states != States::default() {
                table.records.get_or_default(node).states = states;
            }
            if secrets::is_secret(document, node) {
                table.records.get_or_default(node).is_secret = true;
            } else if let Some(value) = values::value(document, flat_tree, node, roles[node.index()], &choices) {
                table.records.get_or_default(node).value = Some(value);
            }
        }
        // What a label would say if it stood for its control, as it does where that is not shown.
        for (label, control) in labels.pairs() {
            let states = table.states(control);
            if states != States::default() {
                table.records.get_or_default(label).states = states;
            }
        }
        table
    }

    /// All that is known of the element, whether or not its role supports it.
    pub(super) fn states(&self, id: NodeId) -> States {
        self.records.get(id).map(|record| record.states).unwrap_or_default()
    }

    pub(super) fn value(&self, id: NodeId) -> Option<&str> {
        self.records.get(id)?.value.as_deref()
    }

    pub(super) fn is_secret(&self, id: NodeId) -> bool {
        self.records.get(id).is_some_and(|record| record.is_secret)
    }
}

/// The attributes that disable something.
const DISABLING: Marks = Marks::of_all(&[name::DISABLED, name::ARIA_DISABLED]);

/// The attributes that give states or a value to elements that have none by themselves.
const STATING: Marks = Marks::of_all(&[
    name::ARIA_CHECKED,
    name::ARIA_EXPANDED,
    name::ARIA_INVALID,
    name::ARIA_LEVEL,
    name::ARIA_PRESSED,
    name::ARIA_READONLY,
    name::ARIA_REQUIRED,
    name::ARIA_SELECTED,
    name::ARIA_VALUENOW,
    name::ARIA_VALUETEXT,
    name::CONTENTEDITABLE,
    name::POPOVERTARGET,
]);

/// Whether an element of this name has states or a value even without attributes.
fn has_own_states(document: &Document, node: NodeId) -> bool {
    matches!(
        document.html_name(node),
        Some(
            name::H1
                | name::H2
                | name::H3
                | name::H4
                | name::H5
                | name::H6
                | name::INPUT
                | name::METER
                | name::OPTION
                | name::PROGRESS
                | name::SELECT
                | name::SUMMARY
                | name::TEXTAREA
        )
    )
}

/// What the element itself says.
fn own_states(document: &Document, node: NodeId) -> States {
    let token = |attribute: Name| document.attribute(node, attribute).map(str::trim);
    let is = |attribute: Name, wanted: &str| token(attribute).is_some_and(|value| value.eq_ignore_ascii_case(wanted));
    let tristate = |attribute: Name| {
        if is(attribute, "true") {
            Tristate::True
        } else if is(attribute, "mixed") {
            Tristate::Mixed
        } else {
            Tristate::False
        }
    };
    let has = |attribute: Name| document.has_attribute(node, attribute);
    let element = document.html_name(node);
    let input = (element == Some(name::INPUT)).then(|| values::input_kind(document, node));
    let field = matches!(element, Some(name::INPUT | name::SELECT | name::TEXTAREA));
    let checked = match input {
        // HTML-AAM: native checkedness wins over `aria-checked`.
        Some("checkbox" | "radio") if has(name::CHECKED) => Tristate::True,
        Some("checkbox" | "radio") => Tristate::False,
        _ => tristate(name::ARIA_CHECKED),
    };
    let level = match element {
        Some(name::H1) => 1,
        Some(name::H2) => 2,
        Some(name::H3) => 3,
        Some(name::H4) => 4,
        Some(name::H5) => 5,
        Some(name::H6) => 6,
        _ => 0,
    };
    let aria_level = token(name::ARIA_LEVEL).and_then(|level| level.parse().ok()).filter(|&level: &u32| level > 0);
    States {
        checked,
        disabled: false,
        expanded: expanded(document, node),
        active: false,
        invalid: token(name::ARIA_INVALID)
            .is_some_and(|value| !value.is_empty() && !value.eq_ignore_ascii_case("false")),
        level: aria_level.unwrap_or(level),
        pressed: tristate(name::ARIA_PRESSED),
        required: (field && has(name::REQUIRED)) || is(name::ARIA_REQUIRED, "true"),
        selected: is(name::ARIA_SELECTED, "true"),
        readonly: (field && has(name::READONLY)) || is(name::ARIA_READONLY, "true"),
    }
}

/// `aria-expanded`, or that the button's popover is shut. A native list that is shut is not said
/// to be so: it always is.
fn expanded(document: &Document, node: NodeId) -> Option<bool> {
    match document.attribute(node, name::ARIA_EXPANDED).map(str::trim) {
        Some(value) if value.eq_ignore_ascii_case("true") => return Some(true),
        Some(value) if value.eq_ignore_ascii_case("false") => return Some(false),
        _ => {}
    }
    match document.html_name(node)? {
        name::BUTTON | name::INPUT => {
            document.attribute(node, name::POPOVERTARGET).filter(|target| !target.is_empty()).map(|_| false)
        }
        _ => None,
    }
}

/// Whether the element at each position is disabled: by its own attribute, by a `fieldset`
/// around it (but not for what is in the first `legend`), by an `optgroup`, or by
/// `aria-disabled` on it or above it (HTML Standard, "concept-fe-disabled"; WAI-ARIA 1.2,
/// `aria-disabled`).
fn disabled(document: &Document, flat_tree: &FlatTree) -> Vec<bool> {
    #[derive(Clone, Copy, Default)]
    struct Above {
        fieldset: bool,
        optgroup: bool,
        aria: bool,
    }
    let mut above: Vec<Above> = Vec::with_capacity(flat_tree.len());
    let mut disabled = Vec::with_capacity(flat_tree.len());
    // Whether the first legend of the fieldset at each position has been met.
    let mut legends = vec![false; flat_tree.len()];
    for (position, &node) in flat_tree.nodes().iter().enumerate() {
        let parent = flat_tree.parent_position(position);
        let mut inherited = parent.map_or(Above::default(), |parent| above[parent]);
        let own = document.has_attribute(node, name::DISABLED);
        let mut native = false;
        match document.html_name(node) {
            Some(name::FIELDSET) => {
                native = own || inherited.fieldset;
                inherited.fieldset |= own;
            }
            Some(name::LEGEND) => {
                let fieldset = parent.filter(|&parent| document.is_html(flat_tree.node(parent), name::FIELDSET));
                if let Some(fieldset) = fieldset.filter(|&fieldset| !std::mem::replace(&mut legends[fieldset], true)) {
                    let around = flat_tree.parent_position(fieldset);
                    inherited.fieldset = around.is_some_and(|around| above[around].fieldset);
                }
            }
            Some(name::BUTTON | name::INPUT | name::SELECT | name::TEXTAREA) => native = own || inherited.fieldset,
            Some(name::OPTGROUP) => {
                native = own;
                inherited.optgroup |= own;
            }
            Some(name::OPTION) => native = own || inherited.optgroup,
            _ => {}
        }
        match document.attribute(node, name::ARIA_DISABLED).map(str::trim) {
            Some(value) if value.eq_ignore_ascii_case("true") => inherited.aria = true,
            Some(value) if value.eq_ignore_ascii_case("false") => inherited.aria = false,
            _ => {}
        }
        disabled.push(native || inherited.aria);
        above.push(inherited);
    }
    disabled
}

/// Which options of native lists are chosen, and which radio buttons had to give way to a later
/// one of their group.
#[derive(Debug, Default)]
pub(super) struct Choices {
    /// The options of each `select`, in order, and whether each is chosen.
    lists: BTreeMap<NodeId, Vec<NodeId>>,
    chosen: BTreeMap<NodeId, bool>,
    unticked: BTreeSet<NodeId>,
}

impl Choices {
    fn find(document: &Document, flat_tree: &FlatTree) -> Self {
        let mut choices = Self::default();
        let mut selects: Vec<Option<NodeId>> = Vec::with_capacity(flat_tree.len());
        let mut forms: Vec<Option<NodeId>> = Vec::with_capacity(flat_tree.len());
        let mut ticked: FxHashMap<(Option<NodeId>, &str), NodeId> = FxHashMap::default();
        for (position, &node) in flat_tree.nodes().iter().enumerate() {
            let parent = flat_tree.parent_position(position);
            let mut select = parent.and_then(|parent| selects[parent]);
            let mut form = parent.and_then(|parent| forms[parent]);
            match document.html_name(node) {
                Some(name::SELECT) => {
                    select = Some(node);
                    choices.lists.insert(node, Vec::new());
                }
                Some(name::FORM) => form = Some(node),
                Some(name::OPTION) => {
                    if let Some(list) = select.and_then(|select| choices.lists.get_mut(&select)) {
                        list.push(node);
                    }
                }
                Some(name::INPUT)
                    if document.has_attribute(node, name::CHECKED) && values::input_kind(document, node) == "radio" =>
                {
                    let group = document.attribute(node, name::NAME).unwrap_or("");
                    if !group.is_empty()
                        && let Some(earlier) = ticked.insert((form, group), node)
                    {
                        choices.unticked.insert(earlier);
                    }
                }
                _ => {}
            }
            selects.push(select);
            forms.push(form);
        }
        let lists = std::mem::take(&mut choices.lists);
        for (&select, options) in &lists {
            choices.choose(document, select, options);
        }
        choices.lists = lists;
        choices
    }

    /// HTML Standard, "selectedness setting algorithm". Nothing is chosen by itself in a list
    /// that shows several rows.
    fn choose(&mut self, document: &Document, select: NodeId, options: &[NodeId]) {
        let selected = |&&option: &&NodeId| document.has_attribute(option, name::SELECTED);
        self.chosen.extend(options.iter().map(|&option| (option, false)));
        if document.has_attribute(select, name::MULTIPLE) {
            self.chosen.extend(options.iter().filter(selected).map(|&option| (option, true)));
            return;
        }
        let size = document.attribute(select, name::SIZE).and_then(|size| size.trim().parse::<u32>().ok());
        let is_enabled = |&&option: &&NodeId| {
            let group = document.parent(option).filter(|&parent| document.is_html(parent, name::OPTGROUP));
            !document.has_attribute(option, name::DISABLED)
                && !group.is_some_and(|group| document.has_attribute(group, name::DISABLED))
        };
        let choice = options
            .iter()
            .rev()
            .find(selected)
            .or_else(|| if size.unwrap_or(1) > 1 { None } else { options.iter().find(is_enabled) });
        if let Some(&choice) = choice {
            self.chosen.insert(choice, true);
        }
    }

    fn is_in_select(&self, option: NodeId) -> bool {
        self.chosen.contains_key(&option)
    }

    fn is_chosen(&self, option: NodeId) -> bool {
        self.chosen.get(&option).copied().unwrap_or_default()
    }

    fn is_unticked(&self, radio: NodeId) -> bool {
        self.unticked.contains(&radio)
    }

    /// The chosen options of a `select`.
    pub(super) fn of(&self, select: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.lists.get(&select).into_iter().flatten().copied().filter(|&option| self.is_chosen(option))
    }
}
