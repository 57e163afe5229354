//! Roles, names and descriptions against the suites of others: web-platform-tests,
//! dom-accessibility-api, aria-query and the examples of the ARIA practices guide.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;
use snapshot_core::document::{Document, NodeId, name};
use snapshot_core::semantics::{Role, Visibility};
use snapshot_core::{Page, PageOptions};
use snapshot_tests::{files_below, is_html, ledger, shared};

/// Why a case does not give what it expects, by the beginning of its id; the first one that fits.
const REASONS: &[(&str, &str)] = &[
    ("aria-practices/data-grids.html:input", "its author gives it no name, and Chromium has none"),
    ("aria-query-elements/<hgroup", "HTML-AAM maps it to a group by now"),
    ("aria-query-elements/<html", "the snapshot itself is the document"),
    ("aria-query-elements/<table data-test>", "a table without rows lays out, as in Chromium"),
    ("aria-query-elements/<table role=table><tbody", "not exposed, as in Chromium: it goes without saying"),
    ("dom-accessibility-api/110:<svg>", "only the size, which is not known here, makes Chromium drop it"),
    ("dom-accessibility-api/115:<tbody>", "not exposed, as in Chromium: it goes without saying"),
    ("dom-accessibility-api/18:<caption>", "HTML-AAM maps it to a caption by now"),
    ("dom-accessibility-api/31:<figcaption>", "HTML-AAM maps it to a caption by now"),
    ("dom-accessibility-api/79:<li>", "HTML-AAM: an item outside of a list is generic"),
    ("dom-accessibility-api/45:<html>", "the snapshot itself is the document"),
    ("dom-accessibility-api/80:<link", "a link element is metadata that nobody sees (HTML-AAM by now: no role)"),
    ("dom-accessibility-api/7:<address>", "HTML-AAM maps it to a group by now"),
    (
        "wpt-name/comp_label.html:[data-expectedlabel]:117",
        "what is hidden keeps the name that it has when it is shown, for those who ask for hidden elements",
    ),
];

#[test]
fn peers_agree_on_roles_names_and_descriptions() {
    let Some(root) = shared("conformance") else { return };
    let mut report = Report::default();
    web_platform_tests(&root.join("wpt"), &mut report);
    dom_accessibility_api(&root.join("dom-accessibility-api"), &mut report);
    element_roles(&root.join("aria-query"), &mut report);
    practices(&root.join("aria-practices"), &mut report);
    ledger::check("accessibility", &report.text());
}

/// Counts by suite, and the cases that fail.
#[derive(Default)]
struct Report {
    counts: BTreeMap<String, (usize, usize)>,
    failing: BTreeMap<String, String>,
}

impl Report {
    fn case(&mut self, suite: &str, id: &str, passes: bool, difference: impl FnOnce() -> String) {
        let (cases, pass) = self.counts.entry(suite.to_owned()).or_default();
        *cases += 1;
        *pass += usize::from(passes);
        if !passes {
            self.failing.insert(format!("{suite}/{id}"), difference());
        }
    }

    fn text(&self) -> String {
        let mut text = String::from("# Roles and names against the suites of others. Rewritten by BLESS=1.\n");
        for (suite, (cases, pass)) in &self.counts {
            write!(text, "\n[{suite}]\ncases = {cases}\npass = {pass}\n").unwrap();
        }
        text.push_str("\n[failing]\n");
        let mut unexplained = Vec::new();
        for (id, difference) in &self.failing {
            match REASONS.iter().find(|(prefix, _)| id.starts_with(prefix)) {
                Some((_, reason)) => writeln!(text, "{:?} = {:?}", id, format!("{difference}: {reason}")).unwrap(),
                None => unexplained.push(format!("{id}: {difference}")),
            }
        }
        assert!(unexplained.is_empty(), "fail and have no reason:\n{}", unexplained.join("\n"));
        text
    }
}

/// Names, roles and descriptions of web-platform-tests, apart those on which Chromium agrees
/// with them. Where it does not, either is right.
fn web_platform_tests(root: &Path, report: &mut Report) {
    let mut pages: BTreeMap<String, Page> = BTreeMap::new();
    for case in array(&root.join("cases.json")) {
        let file = text(&case, "file");
        let page = pages.entry(file.to_owned()).or_insert_with(|| read(&std::fs::read(root.join(file)).unwrap()));
        let (selector, index) = (text(&case, "selector"), usize::try_from(case["index"].as_u64().unwrap()).unwrap());
        let node = matching(page.document(), selector).nth(index).expect("the element is there");
        let found = match text(&case, "kind") {
            "role" => role(page, node),
            "name" => folded(page.semantics().name(node)),
            _ => folded(page.semantics().description(node)),
        };
        let (expected, chromium) = (text(&case, "expected"), text(&case, "chromium"));
        let agrees = case["agrees"] == Value::Bool(true);
        let is_role = text(&case, "kind") == "role";
        let passes = if is_role {
            expected.split('|').any(|expected| known(expected) == found) || known(chromium) == found
        } else {
            folded(expected) == found || !agrees && folded(chromium) == found
        };
        let suite = format!("wpt-{}{}", text(&case, "kind"), if agrees { "" } else { "-disputed" });
        let id = format!("{}:{selector}:{index}", file.rsplit('/').next().unwrap_or(file));
        report.case(&suite, &id, passes, || format!("{expected:?} expected, {chromium:?} in Chromium, {found:?} here"));
    }
}

/// The cases of dom-accessibility-api. Its tables have nothing where ARIA has a role by now, so
/// Chromium's answer counts too.
fn dom_accessibility_api(root: &Path, report: &mut Report) {
    for (number, case) in array(&root.join("cases.json")).iter().enumerate() {
        let (kind, html) = (text(case, "kind"), text(case, "html"));
        // Its custom elements are defined by a script.
        if kind == "name-shadow" {
            continue;
        }
        let wanted = html.trim_start().trim_start_matches('<').split([' ', '>']).next().unwrap_or("");
        // The parser drops parts of a table outside of one; there the case has no parser.
        let page = read(
            match wanted {
                "caption" | "col" | "colgroup" | "tbody" | "tfoot" | "thead" => {
                    format!("<table role=table>{html}</table>")
                }
                "tr" => format!("<table role=table><tbody>{html}</tbody></table>"),
                "td" | "th" => format!("<table role=table><tr>{html}</tr></table>"),
                _ => html.to_owned(),
            }
            .as_bytes(),
        );
        let marked = page
            .document()
            .find_name("data-test")
            .and_then(|name| elements(page.document()).find(|&node| page.document().has_attribute(node, name)));
        let node =
            marked.or_else(|| elements(page.document()).find(|&node| page.document().local_name(node) == wanted));
        let found = match (node, kind) {
            (None, _) => "no element".to_owned(),
            (Some(node), "role") => role(&page, node),
            (Some(node), "name") => folded(page.semantics().name(node)),
            (Some(node), _) => folded(page.semantics().description(node)),
        };
        let expected = case["expected"].as_str();
        let chromium = case["chromium"].as_str();
        // Of some cases Chromium was not asked.
        let answers = std::iter::once(expected).chain(case.get("chromium").map(Value::as_str));
        let passes = answers.into_iter().any(|answer| match kind {
            "role" => known(answer.unwrap_or("")) == found,
            _ => answer.is_some_and(|answer| folded(answer) == found),
        });
        let id = format!("{number}:{}", folded(html));
        report.case("dom-accessibility-api", &id, passes, || {
            format!("{expected:?} expected, {chromium:?} in Chromium, {found:?} here")
        });
    }
}

/// The table of aria-query that maps elements to roles, each element put where the table says.
fn element_roles(root: &Path, report: &mut Report) {
    let table: Value = serde_json::from_slice(&std::fs::read(root.join("aria-query.json")).unwrap()).unwrap();
    for row in table["elementRoles"].as_array().unwrap() {
        let (element, expected) = (&row[0], row[1][0].as_str().unwrap());
        let tag = text(element, "name");
        let none = Vec::new();
        let attributes = element["attributes"].as_array().unwrap_or(&none).iter().filter_map(|attribute| {
            let constraints = attribute["constraints"].as_array().unwrap_or(&none);
            let value = match constraints.first().and_then(Value::as_str) {
                Some("undefined") => return None,
                Some(">1") => "2",
                _ => attribute["value"].as_str().unwrap_or("x"),
            };
            Some(format!(" {}={value:?}", text(attribute, "name")))
        });
        let attributes: String = attributes.collect();
        let constraints = element["constraints"].to_string();
        let html = format!("<{tag}{attributes} data-test>x</{tag}>");
        let html = if matches!(tag, "td" | "th" | "tr" | "tbody" | "thead" | "tfoot" | "caption") {
            let kind = if constraints.contains("grid") { "grid" } else { "table" };
            let (open, close) = match tag {
                "td" | "th" => ("<tr>", "<td></td></tr>"),
                "tbody" | "thead" | "tfoot" | "tr" | "caption" => ("", ""),
                _ => unreachable!(),
            };
            format!("<table role={kind}>{open}{html}{close}</table>")
        } else if attributes.contains("aria-labelledby") {
            format!("<article>{html}<p id=x>x</p></article>")
        } else if constraints.contains("sectioning") || tag == "aside" && expected == "generic" {
            format!("<article>{html}</article>")
        } else if tag == "li" {
            format!("<ul>{html}</ul>")
        } else if attributes.contains("list=") {
            format!("{html}<datalist id=x></datalist>")
        } else {
            html
        };
        let page = read(html.as_bytes());
        let found = matching(page.document(), "[data-test]")
            .next()
            .map_or_else(|| "no element".to_owned(), |node| role(&page, node));
        report.case("aria-query-elements", &folded(&html), known(expected) == found, || {
            format!("{expected:?} expected, {found:?} here")
        });
    }
}

/// In the examples of the ARIA practices guide everything that a person operates has the role
/// that its author gave it, and a name.
fn practices(root: &Path, report: &mut Report) {
    for file in files_below(root).into_iter().filter(|file| is_html(file)) {
        let page = read(&std::fs::read(&file).unwrap());
        let (document, semantics) = (page.document(), page.semantics());
        for node in elements(document) {
            let given = document.attribute(node, name::ROLE).and_then(Role::from_token);
            let native =
                matches!(document.html_name(node), Some(name::BUTTON | name::INPUT | name::SELECT | name::TEXTAREA));
            let is_widget = given.is_some_and(Role::is_interactive)
                || given.is_none()
                    && (native || document.is_html(node, name::A) && document.has_attribute(node, name::HREF));
            if !is_widget || semantics.visibility(node) != Visibility::Visible || semantics.is_aria_hidden(node) {
                continue;
            }
            let found = semantics.role(node);
            let passes = found.is_some_and(Role::is_interactive)
                && (given.is_none() || found == given)
                && !semantics.name(node).is_empty();
            let id = format!("{}:{}", file.file_name().unwrap_or_default().to_string_lossy(), describe(document, node));
            report.case("aria-practices", &id, passes, || {
                format!("{given:?} given, {found:?} with name {:?} here", semantics.name(node))
            });
        }
    }
}

fn read(html: &[u8]) -> Page {
    Page::read(html, &PageOptions::default()).expect("reads")
}

fn array(file: &Path) -> Vec<Value> {
    let value: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    value.as_array().unwrap().clone()
}

fn text<'value>(value: &'value Value, key: &str) -> &'value str {
    value[key].as_str().unwrap_or("")
}

fn elements(document: &Document) -> impl Iterator<Item = NodeId> {
    document.composed_descendants(NodeId::DOCUMENT).filter(|&node| document.is_element(node))
}

/// The elements that one of the suites' selectors matches: an attribute, a class or an id.
fn matching<'page>(document: &'page Document, selector: &str) -> impl Iterator<Item = NodeId> + 'page {
    let (kind, word) = selector.split_at(1);
    let word = word.trim_end_matches(']').to_owned();
    let attribute = match kind {
        "[" => document.find_name(&word),
        "." => Some(name::CLASS),
        _ => Some(name::ID),
    };
    let kind = kind.to_owned();
    elements(document).filter(move |&node| {
        let value = attribute.and_then(|attribute| document.attribute(node, attribute));
        value.is_some_and(|value| kind == "[" || value.split_ascii_whitespace().any(|token| token == word))
    })
}

fn describe(document: &Document, node: NodeId) -> String {
    let id = document.attribute(node, name::ID).map(|id| format!("#{id}")).unwrap_or_default();
    format!("{}{id}:{}", document.local_name(node), node.index())
}

/// The role as peers spell it; what is not exposed and what has no meaning are the same.
fn role(page: &Page, node: NodeId) -> String {
    page.semantics().role(node).map_or("", |role| known(role.as_str())).to_owned()
}

/// A peer's word for a role in ours. Chromium has words of its own where ARIA has none.
fn known(role: &str) -> &str {
    match role {
        "none" | "presentation" | "generic" | "DescriptionList" | "Figcaption" | "Abbr" | "LabelText" | "Legend"
        | "sectionheader" | "sectionfooter" | "PluginObject" | "EmbeddedObject" | "Video" | "Audio" | "LayoutTable" => {
            ""
        }
        "image" => "img",
        "Iframe" => "iframe",
        "MathMLMath" => "math",
        "Date" | "DateTime" | "InputTime" | "ColorWell" => "textbox",
        role => role,
    }
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
