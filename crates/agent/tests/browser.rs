//! With a real Chromium: capture, the guard of origins, the demonstration. Skipped, with a word,
//! where there is no browser.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use snapshot_agent::action::Action;
use snapshot_agent::browser::{Browser, LaunchOptions, Tab};
use snapshot_agent::context::HISTORIES;
use snapshot_agent::model::Scripted;
use snapshot_agent::origins::Origins;
use snapshot_agent::perceive::View;
use snapshot_agent::run::{Ending, Run, RunLimits, Settings};
use snapshot_agent::session::{Look, Session};
use snapshot_agent::trace::Trace;
use snapshot_agent::{Error, capture, demo};
use snapshot_core::document::NodeId;
use snapshot_core::{Page, PageOptions, Pipeline, Recipe, tokens};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

const PATIENCE: Duration = Duration::from_secs(20);

fn options() -> LaunchOptions {
    let mut options = LaunchOptions::default();
    // The pages are ours; whoever tests may be root, for whom the sandbox does not work.
    options.sandbox = false;
    options
}

/// Starts a browser; none, with a word, where there is no program.
async fn browser() -> Option<Browser> {
    match Browser::launch(&options()).await {
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

/// A server on the loopback interface: answers paths from a table, and keeps what was asked for.
struct Site {
    url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Site {
    async fn start(pages: Vec<(&'static str, String)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let url = format!("http://{}", listener.local_addr().expect("is bound"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (kept, pages) = (Arc::clone(&asked), Arc::new(pages));
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (pages, kept) = (Arc::clone(&pages), Arc::clone(&kept));
                // A browser opens connections that it says nothing on for a while.
                tokio::spawn(async move {
                    let mut request = vec![0; 8192];
                    let read = stream.read(&mut request).await.unwrap_or_default();
                    let text = String::from_utf8_lossy(&request[..read]).into_owned();
                    let path = text.split_whitespace().nth(1).unwrap_or_default().to_owned();
                    if path.is_empty() {
                        return;
                    }
                    kept.lock().unwrap().push(path.clone());
                    let page = pages.iter().find(|(known, _)| *known == path).map(|(_, page)| page.as_str());
                    let answer = match page {
                        Some(page) => match page.strip_prefix("redirect:") {
                            Some(to) => format!(
                                "HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                            ),
                            None => format!(
                                "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{page}",
                                page.len()
                            ),
                        },
                        None => "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned(),
                    };
                    let _ = stream.write_all(answer.as_bytes()).await;
                });
            }
        });
        Self { url, asked }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

async fn text_of(tab: &Tab) -> String {
    let page = Page::from_capture(&capture(tab).await.expect("captures"), &PageOptions::default()).expect("reads");
    let pipeline = Pipeline::new(&Recipe::preset("navigate").expect("is there"), "ax").expect("is there");
    pipeline.run(&page).expect("converts").text
}

const CAPTURED: &str = "<!DOCTYPE html><title>Desk</title><style>.gone{display:none}.kept{display:contents}h2::before{content:'§ '}</style>
<script>customElements.define('my-card', class extends HTMLElement {
  constructor() { super(); const root = this.attachShadow({ mode: 'closed' });
    root.innerHTML = '<p>Inside <button>Press</button> <slot></slot></p>'; } });</script>
<p><i>Two</i> <i>words</i></p><my-card><i>light</i><b slot=nowhere>unslotted</b></my-card><h2>Forms</h2>
<label>Name <input id=name></label><label><input type=checkbox id=tick>Tick</label>
<select id=pick aria-label=Pick><option>one<option id=two>two</select><textarea id=note aria-label=Note>old</textarea>
<input type=password aria-label=Secret id=secret>
<div id=row><div id=open>Open it</div><span>plain</span></div><p class=gone>gone</p><div class=kept><em>kept</em></div>
<iframe srcdoc='<p>framed <a href=/x>away</a>'></iframe>
<script>name_ = document.getElementById('name'); name_.value = 'Ana'; name_.focus(); tick.checked = true; two.selected = true;
note.value = 'new'; secret.value = 'hunter2'; document.getElementById('open').addEventListener('click', () => {});
document.getElementById('row').addEventListener('click', () => {});</script>";

#[tokio::test(flavor = "multi_thread")]
async fn a_capture_holds_what_only_the_browser_knows() {
    let Some(browser) = browser().await else { return };
    let site = Site::start(vec![("/", CAPTURED.to_owned())]).await;
    let tab = browser.open_tab(None).await.expect("opens");
    tab.navigate(&site.url, PATIENCE).await.expect("is there");
    let text = text_of(&tab).await;
    for line in [
        "button \"Press\"",
        "heading \"§ Forms\"",
        "textbox \"Name\" [active]",
        ": Ana",
        "checkbox \"Tick\" [checked]",
        "option \"two\" [selected]",
        "textbox \"Note\"",
        ": new",
        "button \"Open it\"",
        "kept",
        "Two words",
        "link \"away\"",
    ] {
        assert!(text.contains(line), "{line:?} is not in\n{text}");
    }
    for words in ["gone", "unslotted", "hunter2", "old"] {
        assert!(!text.contains(words), "{words:?} is in\n{text}");
    }
    // What listens for its children is no target itself.
    assert!(!text.contains("button \"Open it plain\""), "{text}");
    let page = Page::from_capture(&capture(&tab).await.expect("captures"), &PageOptions::default()).expect("reads");
    let elements =
        page.document().composed_descendants(NodeId::DOCUMENT).filter(|&node| page.document().is_element(node));
    assert!(elements.clone().count() > 30);
    assert!(elements.clone().all(|node| page.backend_node_id(node).is_some()), "every element has the browser's id");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn elements_keep_their_ids_while_the_page_changes() {
    let Some(browser) = browser().await else { return };
    let html = "<ul id=list><li><button>B</button></ul><script>function add() { const item = document.createElement('li'); \
                item.innerHTML = '<button>A</button>'; list.prepend(item); }</script>";
    let site = Site::start(vec![("/", html.to_owned())]).await;
    let tab = browser.open_tab(None).await.expect("opens");
    tab.navigate(&site.url, PATIENCE).await.expect("is there");
    let read = async || {
        let capture = capture(&tab).await.expect("captures");
        Page::from_capture(&capture, &PageOptions::default()).expect("reads")
    };
    let button = |page: &Page, name: &str| {
        let mut all = page.document().composed_descendants(NodeId::DOCUMENT);
        let node =
            all.find(|&node| page.document().local_name(node) == "button" && page.semantics().name(node) == name);
        node.and_then(|node| page.references().number(node)).expect("is there and has an id")
    };
    let before = read().await;
    tab.send("Runtime.evaluate", serde_json::json!({ "expression": "add()" })).await.expect("runs");
    let after = read().await.continuing(&before);
    assert_eq!(button(&before, "B"), button(&after, "B"));
    assert_ne!(button(&after, "A"), button(&after, "B"));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_come_from_allowed_origins_only() {
    let Some(browser) = browser().await else { return };
    let outside = Site::start(vec![("/", "<p>outside".to_owned())]).await;
    let away = &outside.url;
    let inside = Site::start(vec![
        ("/", "<p>inside".to_owned()),
        ("/redirect", format!("redirect:{away}/redirect")),
        ("/refresh", format!("<meta http-equiv=refresh content='0;url={away}/refresh'>")),
        ("/script", format!("<script>location = '{away}/script'</script>")),
        ("/form", format!("<form method=post action={away}/form></form><script>document.forms[0].submit()</script>")),
        ("/frame", format!("<iframe src={away}/frame></iframe>")),
        ("/later-frame", format!("<script>const f = document.createElement('iframe'); document.documentElement.append(f); f.src = '{away}/later-frame'</script>")),
        ("/window", format!("<script>open('{away}/window')</script>")),
        ("/click", format!("<a id=a href={away}/click target=_blank>x</a><script>a.click()</script>")),
        ("/history", format!("<script>history.pushState(1, '', '/other'); location.replace('{away}/history')</script>")),
        ("/userinfo", format!("<script>location = '{}'</script>", away.replace("http://", "http://127.0.0.1@"))),
    ])
    .await;
    let origins = Origins::default().with_origin_of(&inside.url).expect("has an origin");
    let tab = browser.open_tab(Some(origins)).await.expect("opens");
    for path in [
        "/redirect",
        "/refresh",
        "/script",
        "/form",
        "/frame",
        "/later-frame",
        "/window",
        "/click",
        "/history",
        "/userinfo",
    ] {
        // Some of these are refused at once, others by what the page does.
        let _ = tab.navigate(&format!("{}{path}", inside.url), Duration::from_secs(2)).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    assert!(tab.navigate(away, PATIENCE).await.is_err(), "a direct visit is refused");
    tab.navigate(&inside.url, PATIENCE).await.expect("what is allowed is still there");
    assert!(text_of(&tab).await.contains("inside"));
    assert_eq!(outside.asked(), Vec::<String>::new(), "nothing reached the other origin");
    assert!(inside.asked().len() >= 11);
    assert!(!tab.take_refused().is_empty());
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clicks_open_no_window_elsewhere_and_overlays_are_not_clicked_through() {
    let Some(browser) = browser().await else { return };
    let outside = Site::start(vec![("/", "<p>outside".to_owned())]).await;
    let away = &outside.url;
    let html = format!(
        "<a href={away}/blank target=_blank>Blank</a> <button onclick=\"window.open('{away}/open')\">Open</button>\
         <a href=/own target=_blank>Own</a><p><button onclick=\"document.title='Hit'\">Under</button>\
         <div style='position:fixed;inset:100px 0 0 0;background:#fff'>Curtain</div><p style='margin-top:200px'>\
         <button>Below</button>"
    );
    let inside = Site::start(vec![("/", html), ("/own", "<p>own page".to_owned())]).await;
    let tab =
        browser.open_tab(Some(Origins::default().with_origin_of(&inside.url).expect("reads"))).await.expect("opens");
    tab.navigate(&inside.url, PATIENCE).await.expect("is there");
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace.jsonl");
    let mut model = Scripted::new(
        "{\"action\":\"click\",\"ref\":\"{{link \"Blank\"}}\"}\n{\"action\":\"click\",\"ref\":\"{{button \"Open\"}}\"}\n\
         {\"action\":\"click\",\"ref\":\"{{button \"Below\"}}\"}\n{\"action\":\"click\",\"ref\":\"e999\"}\n\
         nonsense\n{\"action\":\"click\",\"ref\":\"{{link \"Own\"}}\"}\n{\"action\":\"done\",\"answer\":\"seen\"}",
    );
    let run = Run {
        tab: &tab,
        model: &mut model,
        view: View {
            representation: "ax".to_owned(),
            budget: 2048,
            encoding: tokens::find("chars4").expect("is there"),
            task: "Try everything.".to_owned(),
        },
        history: HISTORIES[0],
        limits: RunLimits::default(),
        trace: Trace::create(&trace).expect("is created"),
        settings: Settings::default(),
    };
    let report = run.run().await.expect("runs");
    let steps = snapshot_agent::trace::read(&std::fs::read_to_string(&trace).expect("is written")).expect("reads");
    let outcomes: Vec<&str> = steps.iter().map(|step| step.outcome.as_str()).collect();
    let last = steps.last().map(|step| step.snapshot.as_str());
    assert!(matches!(report.ending, Ending::Done { .. }), "{:?} after {outcomes:#?}, seeing {last:?}", report.ending);
    assert_eq!(outside.asked(), Vec::<String>::new(), "nothing reached the other origin: {outcomes:#?}");
    assert!(outcomes[0].contains("not allowed") && outcomes[1].contains("not allowed"), "{outcomes:#?}");
    assert!(outcomes[2].contains("covered by div \"Curtain\""), "{outcomes:#?}");
    assert!(outcomes[3].contains("there is no e999") && outcomes[3].contains("nearest are e"), "{outcomes:#?}");
    assert!(outcomes[4].contains("no JSON object"), "{outcomes:#?}");
    // A window of an allowed origin opens in the tab that the agent looks at.
    assert!(steps[6].snapshot.contains("own page"), "{outcomes:#?}");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_in_a_frame_of_another_process_can_be_operated() {
    let Some(browser) = browser().await else { return };
    let inner = "<body style='margin:0'><div style='height:600px'></div><form action=/sent target=_self>\
                 <input name=word aria-label=Word><button>Send</button></form>";
    let site = Site::start(vec![("/inner", inner.to_owned()), ("/sent?word=far+away", "<p>received".to_owned())]).await;
    // By another name the same machine is another site, which gets a process of its own.
    let away = site.url.replace("127.0.0.1", "localhost");
    let outer = format!(
        "<h1>Outer</h1><button>Send</button><div style='height:300px'></div><iframe src={away}/inner width=400 height=200></iframe>"
    );
    let around = Site::start(vec![("/", outer)]).await;
    let mut session = Session::start(browser, None).await.expect("starts");
    session.act(&Action::Navigate { url: around.url.clone() }).await.expect("the browser is there").expect("opens");
    assert_eq!(session.tab().expect("is open").remote_frames().len(), 1, "the frame has a process of its own");
    let look = Look {
        representation: "ax".to_owned(),
        scope: None,
        budget: None,
        encoding: tokens::find("chars4").expect("is there"),
        task: String::new(),
    };
    let text = session.look(&look).await.expect("looks").text.clone();
    let id = |words: &str, text: &str| {
        let line =
            text.lines().rfind(|line| line.contains(words)).unwrap_or_else(|| panic!("{words} is not in {text}"));
        line.split_once("[ref=").expect("has an id").1.split(']').next().expect("ends").to_owned()
    };
    let word = id("textbox \"Word\"", &text);
    let typed = Action::Type { reference: word, text: "far away".to_owned(), submit: false };
    session.act(&typed).await.expect("the browser is there").expect("types");
    let send = id("button \"Send\"", &text);
    session.act(&Action::Click { reference: send.clone() }).await.expect("the browser is there").expect("clicks");
    let after = session.look(&look).await.expect("looks").text.clone();
    assert!(site.asked().contains(&"/sent?word=far+away".to_owned()), "{:?}\n{after}", site.asked());
    assert!(after.contains("received"), "{after}");
    let gone = session.act(&Action::Click { reference: send }).await.expect("the browser is there");
    assert!(gone.is_err(), "what was in the frame is not taken for anything else: {gone:?}");
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn dialogs_do_not_hold_the_agent() {
    let Some(browser) = browser().await else { return };
    let html = "<script>for (let i = 0; i < 5; i++) alert('hello ' + i); onbeforeunload = event => event.preventDefault()</script><p>done";
    let site = Site::start(vec![("/", html.to_owned()), ("/next", "<p>next".to_owned())]).await;
    let tab = browser.open_tab(None).await.expect("opens");
    tab.navigate(&site.url, PATIENCE).await.expect("is there");
    assert!(text_of(&tab).await.contains("done"));
    assert_eq!(tab.take_dialogs().len(), 5);
    tab.navigate(&format!("{}/next", site.url), PATIENCE).await.expect("may leave");
    assert!(text_of(&tab).await.contains("next"));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_demonstration_orders_tea() {
    let Some(browser) = browser().await else { return };
    browser.close().await;
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace.jsonl");
    let (report, orders) = demo::run(&options(), &trace).await.expect("runs");
    assert!(matches!(report.ending, Ending::Done { success: true, .. }), "{:?}", report.ending);
    let [order] = orders.as_slice() else { panic!("{orders:?}") };
    assert_eq!((order.tea.as_str(), order.tins), ("Bancha from Uji", 2));
    let steps = snapshot_agent::trace::read(&std::fs::read_to_string(&trace).expect("is written")).expect("reads");
    assert_eq!(steps.len(), report.steps);
    assert!(steps.iter().all(|step| !step.failed && !step.screenshot.is_empty()));
    assert!(snapshot_agent::trace::html(&steps).contains("Only what is needed"));
}
