//! Whole runs in a browser, with models that fail, and with secrets.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod model_server;
mod site;

use std::path::Path;
use std::time::{Duration, Instant};

use model_server::{Answer, ModelServer, openai, openai_words};
use serde_json::json;
use site::{Site, browser};
use snapshot_agent::browser::Browser;
use snapshot_agent::context::{Compaction, HISTORIES};
use snapshot_agent::model::{Message, Model, ModelError, Patience, Provider, Reply};
use snapshot_agent::origins::Origins;
use snapshot_agent::perceive::View;
use snapshot_agent::run::{Ending, Report, Run, RunLimits, Settings};
use snapshot_agent::secrets::Secrets;
use snapshot_agent::trace::{Step, Trace, read};
use snapshot_core::tokens;

const PATIENCE: Duration = Duration::from_secs(20);

fn view(task: &str) -> View {
    View {
        representation: "ax".to_owned(),
        budget: 2048,
        encoding: tokens::find("chars4").expect("is there"),
        task: task.to_owned(),
    }
}

/// Runs on a page, and gives the report with the trace as it stands in the file.
async fn run<M: Model>(
    browser: &Browser,
    url: &str,
    model: &mut M,
    limits: RunLimits,
    settings: Settings,
    trace: &Path,
) -> (Report, String) {
    let origins = Origins::default().with_origin_of(url).expect("is an origin");
    let tab = browser.open_tab(Some(origins)).await.expect("opens");
    tab.navigate(url, PATIENCE).await.expect("is there");
    let kept = Trace::create(trace).expect("is created");
    let (view, history) = (view("Press it."), HISTORIES[0]);
    let report =
        Run { tab: &tab, model, view, history, limits, trace: kept, settings }.run().await.expect("the browser lives");
    tab.close().await;
    (report, std::fs::read_to_string(trace).expect("is written"))
}

fn steps(trace: &str) -> Vec<Step> {
    read(trace).expect("reads")
}

fn fast() -> Patience {
    let mut patience = Patience::default();
    patience.attempt = Duration::from_millis(500);
    patience.silence = Duration::from_millis(300);
    patience.total = Duration::from_secs(3);
    patience.pause = Duration::from_millis(20);
    patience
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_fails_ends_the_run_with_its_trace_saved() {
    let Some(browser) = browser().await else { return };
    let site = Site::start(|_| Some("<h1>Page</h1><button>Press</button>".to_owned())).await;
    let folder = tempfile::tempdir().expect("a folder");
    let unauthorised = Answer::Json(401, Vec::new(), json!({ "error": { "message": "bad key" } }));
    let too_long = Answer::Json(400, Vec::new(), json!({ "error": { "message": "prompt is too long: 9 > 8" } }));
    let done = openai("done", &json!({ "answer": "ok" }));
    let words_ended =
        |words: &'static str| move |ending: &Ending| matches!(ending, Ending::Model(reason) if reason.contains(words));
    let is_done = |ending: &Ending| matches!(ending, Ending::Done { success: true, .. });
    type Check = Box<dyn Fn(&Ending) -> bool>;
    let cases: Vec<(&str, Vec<Answer>, Check, usize)> = vec![
        ("refused", vec![unauthorised], Box::new(words_ended("check the key")), 1),
        ("gone", vec![Answer::Reset], Box::new(words_ended("asked 4 times")), 1),
        ("stalled", vec![Answer::Stall], Box::new(words_ended("asked 4 times")), 1),
        ("too long for good", vec![too_long.clone()], Box::new(words_ended("too long")), 4),
        ("too long at first", vec![too_long.clone(), too_long, done.clone()], Box::new(is_done), 3),
        ("empty", vec![openai_words("")], Box::new(words_ended("empty")), 5),
        ("empty at first", vec![openai_words(""), openai_words("Let me see."), done.clone()], Box::new(is_done), 3),
        ("unknown tool", vec![openai("fly", &json!({ "to": "e1" }))], Box::new(words_ended("no action \"fly\"")), 5),
        ("unknown tool at first", vec![openai("fly", &json!({})), done.clone()], Box::new(is_done), 2),
        ("wrong parameters at first", vec![openai("click", &json!({ "reff": 3 })), done], Box::new(is_done), 2),
    ];
    for (name, answers, check, asked) in cases {
        let server = ModelServer::start(answers).await;
        let mut provider = Provider::new("openai::x", Some(&server.url), None, fast()).expect("is there");
        let begun = Instant::now();
        let trace = folder.path().join(format!("{name}.jsonl"));
        let (report, written) =
            run(&browser, &site.url, &mut provider, RunLimits::default(), Settings::default(), &trace).await;
        assert!(check(&report.ending), "{name}: {:?}", report.ending);
        assert!(begun.elapsed() < Duration::from_secs(20), "{name} took {:?}", begun.elapsed());
        let steps = steps(&written);
        assert_eq!((steps.len(), report.steps), (asked, asked), "{name}");
        let last = steps.last().expect("is there");
        assert!(!last.ending.is_empty() && last.snapshot.contains("Press") && !last.prompt.is_empty(), "{name}");
    }
    browser.close().await;
}

/// Never comes to an end.
struct Endless(usize);

impl Model for Endless {
    async fn answer(&mut self, _: &[Message]) -> Result<Reply, ModelError> {
        self.0 += 1;
        let text = format!("{{\"action\":\"type\",\"ref\":\"e1\",\"text\":\"{}\"}}", self.0);
        Ok(Reply { text, ..Reply::default() })
    }

    async fn summarise(&mut self, messages: &[Message]) -> Result<Reply, ModelError> {
        assert!(messages[1].text.contains("holds the text"), "{}", messages[1].text);
        Ok(Reply { text: "Numbers were typed.".to_owned(), ..Reply::default() })
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_never_ends_is_stopped_by_each_limit() {
    let Some(browser) = browser().await else { return };
    let site = Site::start(|_| Some("<h1>Page</h1><input aria-label=Field>".to_owned())).await;
    let folder = tempfile::tempdir().expect("a folder");
    let usual = RunLimits::default();
    for (limits, words) in [
        (RunLimits { steps: 4, ..usual }, "4 steps"),
        (RunLimits { time: Duration::from_secs(3), ..usual }, "3 s"),
        (RunLimits { tokens: 3000, ..usual }, "3000 tokens"),
    ] {
        let mut settings = Settings::default();
        settings.compaction = Some(Compaction { turns: 3, bytes: 100, kept: 1 });
        let trace = folder.path().join(words);
        let (report, written) = run(&browser, &site.url, &mut Endless(0), limits, settings, &trace).await;
        assert_eq!(report.ending, Ending::Limit(words.to_owned()));
        assert!(steps(&written).last().expect("is there").ending.contains(words));
        if words == "4 steps" {
            assert!(written.contains("Numbers were typed."), "old turns are summed up");
        }
    }
    browser.close().await;
}

const CANARY: &str = "Zanzibar-lantern-4471";

/// A page that shows what it is given in every way it can.
const ECHO: &str = "<h1>Sign in</h1><form action=/welcome><input name=user aria-label=User>\
    <input type=password name=word aria-label=Password><button>Go</button></form><p id=out>nothing yet</p>\
    <iframe srcdoc='<input aria-label=Framed>'></iframe>\
    <script>for (const field of document.querySelectorAll('input')) field.addEventListener('input', () => { \
    const text = field.value; out.textContent = text + ' ' + btoa('u:' + text) + ' ' + encodeURIComponent(text) + ' ' + \
    [...text].join(' ') + ' ' + [...text].reverse().join(''); document.title = 'Hello ' + text; \
    history.replaceState(0, '', '/?was=' + encodeURIComponent(text)); });</script>";

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_reaches_its_field_and_nothing_else() {
    let Some(browser) = browser().await else { return };
    let site =
        Site::start(|path| Some(if path == "/welcome" { "<h1>Welcome</h1>".to_owned() } else { ECHO.to_owned() }))
            .await;
    let other = Site::start(|_| Some("<h1>Other</h1><input aria-label=Field>".to_owned())).await;
    let folder = tempfile::tempdir().expect("a folder");
    let secrets = Secrets::default()
        .with("word", &site.url, CANARY)
        .and_then(|secrets| secrets.with("other", &other.url, "another-value-9"))
        .expect("are kept");
    let model = ModelServer::start(vec![
        openai("type", &json!({ "ref": "e3", "text": "<secret:word>" })),
        openai("type", &json!({ "ref": "e2", "text": "me-<secret:word>-you" })),
        // None of these may work.
        openai("type", &json!({ "ref": "e2", "text": "<secret:other>" })),
        openai("type", &json!({ "ref": "e6", "text": "<secret:word>" })),
        openai("navigate", &json!({ "url": "/welcome?x=<secret:word>" })),
        openai("navigate", &json!({ "url": format!("/welcome?x={CANARY}") })),
        openai("type", &json!({ "ref": "e3", "text": "<secret:word>", "submit": true })),
        openai("done", &json!({ "answer": format!("It is {CANARY}.") })),
    ])
    .await;
    let mut provider = Provider::new("openai::x", Some(&model.url), None, Patience::default()).expect("is there");
    let mut settings = Settings::default();
    settings.secrets = secrets.clone();
    let trace = folder.path().join("trace.jsonl");
    let (report, written) = run(&browser, &site.url, &mut provider, RunLimits::default(), settings, &trace).await;
    let steps = steps(&written);
    let outcomes: Vec<&str> = steps.iter().map(|step| step.outcome.as_str()).collect();
    assert!(outcomes[0].contains("holds the secret") && outcomes[1].contains("holds the secret"), "{outcomes:#?}");
    assert!(outcomes[2].contains("only, and this field is not there"), "{outcomes:#?}");
    assert!(outcomes[3].contains("not in its frames"), "{outcomes:#?}");
    assert!(
        outcomes[4].contains("no part of an address") && outcomes[5].contains("no part of an address"),
        "{outcomes:#?}"
    );
    assert!(outcomes[6].contains("Enter was pressed"), "{outcomes:#?}");
    let sent: Vec<String> = site.asked().into_iter().filter(|asked| asked.starts_with("GET /welcome")).collect();
    assert_eq!(sent.len(), 1, "{sent:?}");
    assert!(sent[0].contains(&format!("word={CANARY}")), "the page got it: {}", sent[0]);
    // What the model was sent, what is kept, what is reported.
    assert!(steps.iter().any(|step| step.snapshot.contains("<secret:word>")), "the page showed it");
    assert!(steps.iter().any(|step| step.screenshot.is_empty()), "no picture is taken of it");
    for asked in model.asked() {
        for message in asked.body["messages"].as_array().expect("is a list") {
            let text = message.to_string();
            // The script of this test says the value itself; what it said does not come back either.
            assert!(!secrets.are_in(&text), "{text}");
        }
    }
    assert!(!secrets.are_in(&written), "{written}");
    let html = snapshot_agent::trace::html(&steps);
    assert!(!secrets.are_in(&html));
    assert!(!secrets.are_in(&format!("{report:?}")), "{report:?}");
    assert!(matches!(&report.ending, Ending::Done { answer, .. } if answer == "It is <secret:word>."), "{report:?}");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_and_long_addresses_come_back_whole() {
    let Some(browser) = browser().await else { return };
    let site = Site::start(|path| match path {
        "/" => Some(
            "<h1>Page</h1><a href='/next?filter=green-and-white-and-black-and-oolong&from=here'>Next</a>".to_owned(),
        ),
        "/next" => Some("<h1>Arrived</h1>".to_owned()),
        _ => None,
    })
    .await;
    let folder = tempfile::tempdir().expect("a folder");
    /// Plans, then goes where the page shows a short address.
    struct Copyist(usize);
    impl Model for Copyist {
        async fn answer(&mut self, messages: &[Message]) -> Result<Reply, ModelError> {
            self.0 += 1;
            let seen = &messages.last().expect("is there").text;
            let text = match self.0 {
                1 => "{\"action\":\"plan\",\"plan\":\"[>] go next\"}".to_owned(),
                2 => {
                    assert!(seen.contains("Your plan:\n[>] go next"), "{seen}");
                    let address = seen.split_whitespace().find(|word| word.contains("/next?")).expect("is shown");
                    assert!(address.contains("..."), "{address}");
                    format!("{{\"action\":\"navigate\",\"url\":\"{address}\"}}")
                }
                _ => "{\"action\":\"done\",\"answer\":\"there\"}".to_owned(),
            };
            Ok(Reply { text, ..Reply::default() })
        }
    }
    let trace = folder.path().join("trace.jsonl");
    let (report, written) =
        run(&browser, &site.url, &mut Copyist(0), RunLimits::default(), Settings::default(), &trace).await;
    assert!(matches!(report.ending, Ending::Done { .. }), "{report:?} {written}");
    let asked = site.asked();
    assert!(
        asked.iter().any(|asked| asked.starts_with("GET /next?filter=green-and-white-and-black-and-oolong&from=here ")),
        "{asked:?}"
    );
    browser.close().await;
}

/// Answers with nothing of use, so many times, and keeps what it was shown.
struct Lost {
    replies: Vec<&'static str>,
    shown: Vec<Message>,
}

impl Model for Lost {
    async fn answer(&mut self, messages: &[Message]) -> Result<Reply, ModelError> {
        let reply = self.replies.get(self.shown.len()).unwrap_or(&"{\"action\":\"done\",\"answer\":\"ok\"}");
        self.shown.extend(messages.last().cloned());
        Ok(Reply { text: (*reply).to_owned(), ..Reply::default() })
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_does_not_get_on_is_shown_more() {
    let Some(browser) = browser().await else { return };
    let site = Site::start(|_| Some("<h1>Page</h1><button data-testid=go>Press</button>".to_owned())).await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut model =
        Lost { replies: vec!["?", "{\"action\":\"click\",\"ref\":\"e99\"}", "hm", "well"], shown: Vec::new() };
    let trace = folder.path().join("trace.jsonl");
    let (report, written) =
        run(&browser, &site.url, &mut model, RunLimits::default(), Settings::default(), &trace).await;
    assert!(matches!(report.ending, Ending::Done { .. }), "{report:?}");
    let shown = model.shown;
    assert_eq!(shown.len(), 5);
    assert!(shown[..3].iter().all(|message| message.text.contains("- button \"Press\"")), "{shown:#?}");
    assert!(shown[3].text.contains("<button") && shown[3].picture.is_none(), "{shown:#?}");
    let picture = shown[4].picture.as_ref().expect("a picture comes last");
    // JPEG begins with FF D8 FF, and the one with marks is not the one without.
    assert!(picture.starts_with("/9j/"), "{}", &picture[..8]);
    assert!(!written.contains(picture.as_str()), "the trace keeps its own picture, once");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_drawn_comes_with_a_picture() {
    let Some(browser) = browser().await else { return };
    let site = Site::start(|path| {
        Some(if path == "/drawn" {
            "<h1>Chart</h1><canvas width=900 height=600></canvas><button>Zoom</button>".to_owned()
        } else {
            "<h1>Words</h1><canvas width=20 height=20></canvas><a href=/drawn>Chart</a>".to_owned()
        })
    })
    .await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut model = Lost { replies: vec!["{\"action\":\"navigate\",\"url\":\"/drawn\"}"], shown: Vec::new() };
    let trace = folder.path().join("trace.jsonl");
    run(&browser, &site.url, &mut model, RunLimits::default(), Settings::default(), &trace).await;
    let pictures: Vec<bool> = model.shown.iter().map(|message| message.picture.is_some()).collect();
    assert_eq!(pictures, [false, true]);
    if let (Ok(file), Some(picture)) = (std::env::var("SHOW"), &model.shown[1].picture) {
        std::fs::write(file, picture).expect("is written");
    }
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_uploaded_by_their_names_and_only_those_that_were_named() {
    let Some(browser) = browser().await else { return };
    let page = "<h1>Papers</h1><input type=file aria-label=Paper><p id=out>none</p><script>\
        document.querySelector('input').onchange = async event => { out.textContent = await event.target.files[0].text(); };</script>\
        <p>The office is in Delft.</p>";
    let site = Site::start(move |_| Some(page.to_owned())).await;
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("letter.txt"), "Dear office").expect("is written");
    std::fs::write(folder.path().join("private.txt"), "Hidden diary").expect("is written");
    let mut settings = Settings::default();
    settings.uploads = vec![folder.path().join("letter.txt")];
    let replies = vec![
        r#"{"action":"upload","ref":"e2","file":"private.txt"}"#,
        r#"{"action":"upload","ref":"e2","file":"../private.txt"}"#,
        r#"{"action":"upload","ref":"e2","file":"/etc/hostname"}"#,
        r#"{"action":"upload","ref":"e2","file":"letter.txt"}"#,
        r#"{"action":"read","query":"where is the office"}"#,
        r#"{"action":"back"}"#,
    ];
    let mut model = Lost { replies, shown: Vec::new() };
    let trace = folder.path().join("trace.jsonl");
    let (_, written) = run(&browser, &site.url, &mut model, RunLimits::default(), settings, &trace).await;
    let steps = steps(&written);
    for step in &steps[..3] {
        assert!(
            step.failed && step.outcome.contains("may not be uploaded") && step.outcome.contains("letter.txt"),
            "{}",
            step.outcome
        );
    }
    assert!(!written.contains("Hidden diary") && !written.contains(&folder.path().display().to_string()), "{written}");
    assert!(written.contains(r#"These files may be uploaded: \"letter.txt\"."#), "{written}");
    let shown = &model.shown;
    assert!(shown[4].text.contains("Dear office"), "{}", shown[4].text);
    let words = "is shown here, this once";
    assert!(shown[5].text.contains(words) && shown[5].text.matches("Delft").count() == 2, "{}", shown[5].text);
    let told: String = steps.last().expect("is there").prompt.iter().map(ToString::to_string).collect();
    assert_eq!(told.matches(words).count(), 1, "that it was shown is told later");
    assert_eq!(told.matches("Delft").count(), 1, "what was shown is not: {told}");
    browser.close().await;
}
