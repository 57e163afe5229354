//! Asks a real browser engine whether every selector, XPath and path leads to exactly its
//! element. The page is parsed by the browser without running its scripts, shadow roots and
//! frames included. Skipped, with a word, where there is no Chromium.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says when it is skipped"
)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use snapshot_core::{Pipeline, Recipe};
use snapshot_tests::{corpus, golden};

/// Resolves each entry and writes the faults into the page, which `--dump-dom` prints.
const HARNESS: &str = r#"
const faults = [];
const at = (root, path) => {
  let node = root;
  for (const step of path.split('/').slice(1)) {
    if (!node) return null;
    if (step === '$frame') node = (node.parsed ??= Document.parseHTMLUnsafe(node.getAttribute('srcdoc')));
    else if (step === '$shadow0') node = node.shadowRoot;
    else node = node.children[+step];
  }
  return node;
};
let checked = 0;
const page = Document.parseHTMLUnsafe(source);
for (const entry of entries) {
  if (entry.path.includes('$template')) continue; // inert, and no part of the page's tree
  const fault = what => faults.push(entry.path + ' ' + what);
  const element = at(page, entry.path);
  if (!element) { if (!entry.path.includes('$shadow')) fault('no element at path'); continue; }
  let root = page;
  for (const host of entry.frame) { const frame = root.querySelector(host); root = frame && (frame.parsed ??= Document.parseHTMLUnsafe(frame.getAttribute('srcdoc'))); }
  for (const host of entry.shadow) root = root && root.querySelector(host) && root.querySelector(host).shadowRoot;
  if (!root) { fault('chain ' + JSON.stringify([entry.frame, entry.shadow]) + ' leads nowhere'); continue; }
  checked++;
  try {
    const found = root.querySelectorAll(entry.selector);
    if (found.length !== 1 || found[0] !== element) fault('selector ' + entry.selector + ' matches ' + found.length);
    if (root.nodeType === 9) {
      const x = root.evaluate(entry.xpath, root, null, 7, null);
      if (x.snapshotLength !== 1 || x.snapshotItem(0) !== element) fault('xpath ' + entry.xpath + ' matches ' + x.snapshotLength);
    }
    if (element.localName !== entry.tag) fault('is ' + element.localName + ', not ' + entry.tag);
  } catch (error) { fault(String(error)); }
}
document.body.textContent = 'RESULT ' + JSON.stringify({ checked, faults }) + ' END';
"#;

fn chromium() -> Option<&'static str> {
    let known = ["chromium", "chromium-browser", "google-chrome"];
    let found = known
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()));
    if found.is_none() {
        eprintln!("SKIPPED: no Chromium (Debian: apt-get install -y --no-install-recommends chromium)");
    }
    found
}

/// Loads a file in a private, headless browser that ends by itself.
fn dump_dom(browser: &str, file: &Path, profile: &Path) -> String {
    let output = Command::new("timeout")
        .args(["60", browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", file.display()))
        .stdin(Stdio::null())
        .output()
        .expect("the browser starts");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn script_literal(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value)
        .expect("serialises")
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

#[test]
fn every_locator_leads_to_its_element() {
    let Some(browser) = chromium() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let mut faults = Vec::new();
    for corpus_page in corpus::pages() {
        let page = corpus_page.read();
        let recipe = Recipe::from_list("none").expect("reads");
        let snapshot = Pipeline::new(&recipe, "html").and_then(|pipeline| pipeline.run(&page)).expect("converts");
        let source = String::from_utf8_lossy(&corpus_page.bytes);
        let harness = format!(
            "<!DOCTYPE html><meta charset=utf-8><body><script>const source = {};\nconst entries = {};\n{HARNESS}</script>",
            script_literal(&source),
            script_literal(&snapshot.map.entries),
        );
        let file = folder.path().join(format!("{}.html", corpus_page.name));
        fs::write(&file, harness).expect("the harness is written");
        let dom = dump_dom(browser, &file, &folder.path().join("profile"));
        let result = dom.split("RESULT ").nth(1).and_then(|rest| rest.split(" END").next());
        let Some(result) = result else {
            faults.push(format!(
                "{}: the browser gave no answer: {}",
                corpus_page.name,
                dom.chars().take(200).collect::<String>()
            ));
            continue;
        };
        let result = result.replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", "\u{a0}").replace("&amp;", "&");
        let result: serde_json::Value = serde_json::from_str(&result).expect("the answer is JSON");
        let checked = result["checked"].as_u64().unwrap_or(0);
        if checked <= 100 {
            faults.push(format!("{}: only {checked} elements were checked", corpus_page.name));
        }
        for fault in result["faults"].as_array().into_iter().flatten() {
            faults.push(format!("{}: {fault}", corpus_page.name));
        }
    }
    golden::assert_none(&faults);
}
