//! What a capture of a real Chromium tells that a saved page cannot, and that both agree in the
//! rest. Skipped, with a word, where there is no browser.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::time::Duration;

use snapshot_agent::browser::{Browser, LaunchOptions, Tab};
use snapshot_agent::{Error, capture};
use snapshot_core::document::{NodeId, name};
use snapshot_core::{Page, PageOptions, Pipeline, Recipe};

const PATIENCE: Duration = Duration::from_secs(20);

async fn browser() -> Option<Browser> {
    let mut options = LaunchOptions::default();
    // The pages are ours; whoever tests may be root, for whom the sandbox does not work.
    options.sandbox = false;
    match Browser::launch(&options).await {
        Ok(browser) => Some(browser),
        Err(Error::NoBrowser) => {
            #[allow(clippy::print_stderr, reason = "who tests must know what was not tested")]
            {
                eprintln!("skipped: no Chromium was found");
            }
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Opens a page from a file of its own.
async fn open(browser: &Browser, html: &str) -> (Tab, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("page.html");
    std::fs::write(&file, html).expect("is written");
    let tab = browser.open_tab(None).await.expect("opens");
    tab.navigate(&format!("file://{}", file.display()), PATIENCE).await.expect("is there");
    (tab, folder)
}

async fn page(tab: &Tab) -> Page {
    Page::from_capture(&capture(tab).await.expect("captures"), &PageOptions::default()).expect("reads")
}

/// The element that has this id in the page, shadow trees and frames included.
fn by_id(page: &Page, id: &str) -> NodeId {
    let document = page.document();
    let mut all = document.composed_descendants(NodeId::DOCUMENT);
    all.find(|&node| document.attribute(node, name::ID) == Some(id)).unwrap_or_else(|| panic!("no #{id}"))
}

const COVERED: &str = "<!DOCTYPE html><style>button{width:90px;height:30px}
.at{position:absolute} .over{position:absolute;background:#ddd}</style>
<button id=free>Free</button>
<button id=under class=at style='left:10px;top:60px'>Under</button>
<div id=curtain class=over style='left:0;top:50px;width:150px;height:60px'>Curtain</div>
<button id=looks-out class=at style='left:200px;top:60px'>Looks out</button>
<div class=over style='left:190px;top:50px;width:70px;height:60px'>Half a curtain</div>
<button id=glass class=at style='left:400px;top:60px'>Glass</button>
<div class=over style='left:390px;top:50px;width:150px;height:60px;pointer-events:none;opacity:.4'>Glass</div>
<label class=at style='left:10px;top:150px'><input type=checkbox id=box style='position:absolute;opacity:0'><b style='position:relative;display:block;background:#eee'>Box in a label</b></label>
<div class=at style='left:300px;top:150px'><my-card></my-card></div>
<div class=over style='left:295px;top:145px;width:200px;height:60px'>Over the card</div>
<button id=below class=at style='left:10px;top:3000px'>Below</button>
<div id=listens class=at style='left:600px;top:60px'>Listens</div>
<div id=hears class=at style='left:600px;top:150px'><span>Hears for its children</span><button id=child>Child</button></div>
<script>
listens.addEventListener('click', () => {}); hears.addEventListener('click', () => {});
customElements.define('my-card', class extends HTMLElement { constructor() { super();
  this.attachShadow({ mode: 'closed' }).innerHTML = '<button id=inside>Inside</button>'; } });
</script>";

#[tokio::test(flavor = "multi_thread")]
async fn what_lies_over_what_is_told_as_the_browser_hits_it() {
    let Some(browser) = browser().await else { return };
    let (tab, _folder) = open(&browser, COVERED).await;
    let page = page(&tab).await;
    let cover = |id: &str| page.semantics().covered_by(by_id(&page, id));
    assert_eq!(cover("under"), Some(by_id(&page, "curtain")));
    assert!(cover("inside").is_some(), "in a closed shadow root too");
    for free in ["free", "looks-out", "glass", "box", "below", "listens", "child"] {
        assert_eq!(cover(free), None, "{free}");
    }
    let acts = |id: &str| page.semantics().is_actionable(by_id(&page, id));
    assert!(acts("listens") && acts("child") && !acts("hears"), "who only listens is a target, but not for others");
    assert!(!acts("under") && acts("looks-out") && acts("below"));
    browser.close().await;
}

const PLAIN: &str = "<!DOCTYPE html><html lang=en><head><title>Room</title><style>.gone{display:none}#t td{padding:2px}
nav a::before{content:'» '}</style></head><body>
<nav aria-label=Main><a href=/a>First</a> <a href=/b>Second</a></nav>
<h1>Book a <em>room</em></h1><p class=gone>Not shown</p>
<form><label for=n>Name</label><input id=n value='Ana' required>
<label><input type=checkbox checked> Breakfast</label>
<fieldset><legend>Bed</legend><label><input type=radio name=bed checked> One</label><label><input type=radio name=bed> Two</label></fieldset>
<select aria-label=Floor><option>1<option selected>2</select><textarea aria-label=Wishes>Quiet, please</textarea>
<button>Book</button></form>
<table id=t><caption>Prices</caption><tr><th>Night<th>Price<tr><td>Mon<td>80</table>
<details open><summary>More</summary><p>Folded out</p></details>
<p>Call <a href=tel:1>us</a>, <b>any</b> <i>time</i>.</p><img src=x.png alt=Garden width=10 height=10>
<div role=tablist><div role=tab tabindex=0 aria-selected=true>Rooms</div></div>
<my-note><template shadowrootmode=open><p>Note <slot></slot></p><button>Fold</button></template><b>slotted</b></my-note>
<iframe srcdoc='<p>Framed <a href=/c>link</a></p>'></iframe></body></html>";

#[tokio::test(flavor = "multi_thread")]
async fn a_captured_and_a_saved_page_have_the_same_ids_and_names() {
    let Some(browser) = browser().await else { return };
    let (tab, folder) = open(&browser, PLAIN).await;
    let url = format!("file://{}", folder.path().join("page.html").display());
    let saved = Page::read(PLAIN.as_bytes(), &PageOptions::default().with_url(url)).expect("reads");
    let live = page(&tab).await;
    for representation in ["ax", "list", "markdown", "html"] {
        let write = |page: &Page| {
            let preset = if representation == "markdown" { "read" } else { "navigate" };
            let recipe = Recipe::preset(preset).expect("is there");
            let snapshot = Pipeline::new(&recipe, representation).expect("is there").run(page).expect("converts");
            let entries: Vec<(Option<String>, String, String)> = snapshot
                .map
                .entries
                .into_iter()
                .map(|entry| (entry.reference, entry.role.unwrap_or_default(), entry.name))
                .collect();
            (snapshot.text, entries)
        };
        let ((saved_text, saved_entries), (live_text, live_entries)) = (write(&saved), write(&live));
        if representation != "html" {
            assert_eq!(saved_text, live_text, "{representation}");
        }
        assert_eq!(saved_entries, live_entries, "{representation}");
    }
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_saved_as_html_says_what_the_capture_says() {
    let Some(browser) = browser().await else { return };
    let (tab, _folder) = open(&browser, COVERED).await;
    let captured = capture(&tab).await.expect("captures");
    let live = Page::from_capture(&captured, &PageOptions::default()).expect("reads");
    let html = snapshot_agent::page_html(&captured).expect("is written");
    let saved = Page::read(html.as_bytes(), &PageOptions::default()).expect("reads");
    let names = |page: &Page| {
        let document = page.document();
        let all = document.composed_descendants(NodeId::DOCUMENT);
        let buttons = all.filter(|&node| document.local_name(node) == "button");
        buttons.map(|node| page.semantics().name(node).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&live), names(&saved));
    assert!(names(&saved).contains(&"Inside".to_owned()), "the closed shadow root is written");
    browser.close().await;
}
