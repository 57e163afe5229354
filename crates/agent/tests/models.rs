//! Models behind a service on the loopback interface: the two protocols, and every way in which a
//! service can fail.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod model_server;

use std::time::{Duration, Instant};

use model_server::{Answer, ModelServer, anthropic, openai, openai_words};
use serde_json::{Value, json};
use snapshot_agent::model::{Failure, Message, Model, ModelError, Patience, Provider, Reply, Role, Usage};

const KEY: &str = "sk-canary-0123456789abcdef";

/// Waits of a fraction of a second: the test must end.
fn patience() -> Patience {
    let mut patience = Patience::default();
    patience.attempt = Duration::from_millis(700);
    patience.silence = Duration::from_millis(300);
    patience.total = Duration::from_secs(4);
    patience.pause = Duration::from_millis(30);
    patience
}

async fn ask(model: &str, server: &ModelServer) -> (Result<Reply, ModelError>, Duration) {
    let mut provider = Provider::new(model, Some(&server.url), Some(KEY.to_owned()), patience()).expect("is there");
    let begun = Instant::now();
    let messages = [Message::new(Role::System, "You browse."), Message::new(Role::User, "A page.")];
    (provider.answer(&messages).await, begun.elapsed())
}

#[tokio::test]
async fn both_protocols_carry_tools_calls_and_counts() {
    let arguments = json!({ "ref": "e12" });
    let server = ModelServer::start(vec![openai("click", &arguments)]).await;
    let reply = ask("openai::test-model", &server).await.0.expect("answers");
    assert_eq!(reply.action(), r#"{"action":"click","ref":"e12"}"#);
    assert_eq!(reply.usage, Some(Usage { input: 812, cached: 512, output: 20 }));
    let asked = server.asked().remove(0);
    assert_eq!(asked.path, "/v1/chat/completions");
    assert!(asked.head.to_lowercase().contains(&format!("authorization: bearer {KEY}")), "{}", asked.head);
    assert_eq!(asked.body["tools"][0]["function"]["name"], "click");
    assert_eq!(asked.body["tools"][0]["function"]["parameters"]["required"], json!(["ref"]));

    let server = ModelServer::start(vec![anthropic("click", &arguments)]).await;
    let reply = ask("claude-test", &server).await.0.expect("answers");
    assert_eq!(reply.action(), r#"{"action":"click","ref":"e12"}"#);
    assert_eq!(reply.text, "I will click.");
    assert_eq!(reply.usage, Some(Usage { input: 812, cached: 500, output: 20 }));
    let asked = server.asked().remove(0);
    assert_eq!(asked.path, "/v1/messages");
    assert!(asked.head.to_lowercase().contains(&format!("x-api-key: {KEY}")), "{}", asked.head);
    assert_eq!(asked.body["tools"][0]["input_schema"]["properties"]["ref"]["type"], "string");
}

/// What a service does, what is to come of it, and how often it is asked.
struct Case {
    name: &'static str,
    answer: Answer,
    failure: Failure,
    words: &'static str,
    asked: usize,
}

fn error(status: u16, message: &str, code: &str) -> Answer {
    let body = json!({ "type": "error", "error": { "type": code, "code": code, "message": message } });
    Answer::Json(status, Vec::new(), body)
}

fn cases() -> Vec<Case> {
    use Failure::{Refused, TooLong, Unavailable, Unreadable};
    let case = |name, answer, failure, words, asked| Case { name, answer, failure, words, asked };
    let slow = json!({ "choices": [] }).to_string() + &" ".repeat(2000);
    let huge = openai_words(&"word ".repeat(10 << 20));
    let wrong = json!({ "message": [1, 2], "content": { "no": "list" } });
    vec![
        case(
            "context length",
            error(400, "maximum context length is 8192", "context_length_exceeded"),
            TooLong,
            "maximum",
            1,
        ),
        case(
            "no right",
            error(401, &format!("Incorrect API key provided: {KEY}"), "invalid_api_key"),
            Refused,
            "check the key",
            1,
        ),
        case("no credit", error(429, "You exceeded your current quota", "insufficient_quota"), Refused, "quota", 1),
        case("too many requests", error(429, "Slow down", "rate_limit"), Unavailable, "asked 4 times", 4),
        case("server error", error(500, "Oops", "server_error"), Unavailable, "500", 4),
        case("overloaded", error(529, "Overloaded", "overloaded_error"), Unavailable, "Overloaded", 4),
        case("reset", Answer::Reset, Unavailable, "asked 4 times", 4),
        case("stall", Answer::Stall, Unavailable, "asked 4 times", 4),
        case("slow stream", Answer::Slow(slow, Duration::from_millis(20)), Unavailable, "asked 4 times", 4),
        case("cut short", Answer::CutShort("{\"choices\":[{\"mess".to_owned()), Unavailable, "asked 4 times", 4),
        case(
            "broken JSON",
            Answer::Body(200, "application/json", "{\"choices\":[{\"mess".to_owned()),
            Unavailable,
            "broken JSON",
            4,
        ),
        case(
            "a web page",
            Answer::Body(200, "text/html", "<h1>\u{1b}[31mHello".to_owned()),
            Unavailable,
            "not JSON",
            4,
        ),
        case("wrong schema", Answer::Json(200, Vec::new(), wrong), Unreadable, "", 1),
        case("empty answer", openai_words(""), Unreadable, "", 1),
        case("50 MB", huge, Unreadable, "", 1),
        case(
            "redirect",
            Answer::Json(302, vec![("Location", "http://127.0.0.1:9/".to_owned())], json!({})),
            Refused,
            "redirect",
            1,
        ),
        case("unknown model", error(404, "no such model", "not_found"), Refused, "--model", 1),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn every_failure_ends_in_time_with_one_clear_error() {
    for case in cases() {
        for model in ["openai::test-model", "claude-test"] {
            let server = ModelServer::start(vec![case.answer.clone()]).await;
            let (answer, took) = ask(model, &server).await;
            let name = format!("{} with {model}", case.name);
            let error = answer.expect_err(&name);
            assert_eq!(error.failure, case.failure, "{name}: {error}");
            assert!(error.reason.contains(case.words), "{name}: {error}");
            assert_eq!(server.asked().len(), case.asked, "{name}");
            assert!(took < Duration::from_secs(6), "{name} took {took:?}");
            let text = format!("{error} {error:?}");
            assert!(!text.contains(KEY) && text.len() < 2000 && !text.contains('\u{1b}'), "{name}: {text}");
            assert!(!error.reason.chars().any(char::is_control), "{name}: {error:?}");
        }
    }
}

#[tokio::test]
async fn nobody_there_is_a_failure_as_well() {
    // A port that was free a moment ago.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let url = format!("http://{}/", listener.local_addr().expect("is bound"));
    drop(listener);
    let mut provider = Provider::new("openai::x", Some(&url), None, patience()).expect("needs no key");
    let error = provider.answer(&[Message::new(Role::User, "Hello")]).await.expect_err("nobody is there");
    assert_eq!(error.failure, Failure::Unavailable);
    assert!(error.reason.contains("onnect") && error.reason.contains("asked 4 times"), "{error}");
}

#[tokio::test]
async fn what_passes_is_waited_for_as_long_as_the_service_asks() {
    let busy = Answer::Json(429, vec![("Retry-After", "1".to_owned())], json!({ "error": { "message": "later" } }));
    let server = ModelServer::start(vec![busy, Answer::Reset, openai("back", &json!({}))]).await;
    let (reply, took) = ask("openai::test-model", &server).await;
    let reply = reply.expect("answers in the end");
    assert_eq!((reply.action().as_str(), reply.retries), (r#"{"action":"back"}"#, 2));
    assert!(took >= Duration::from_secs(1), "{took:?}");

    let closed = Answer::Json(429, vec![("Retry-After", "3600".to_owned())], json!({}));
    let server = ModelServer::start(vec![closed]).await;
    let (reply, took) = ask("openai::test-model", &server).await;
    let error = reply.expect_err("an hour is too long");
    assert!(error.reason.contains("3600 s") && took < Duration::from_secs(1), "{error} after {took:?}");
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn calls_and_pictures_go_back_as_each_protocol_wants() {
    let call = snapshot_agent::model::Call {
        id: "c1".to_owned(),
        name: "click".to_owned(),
        arguments: json!({ "ref": "e3" }),
        signatures: Vec::new(),
    };
    let messages = [
        Message { cached: true, ..Message::new(Role::System, "Rules") },
        Message::new(Role::User, "Page one"),
        Message { call: Some(call.clone()), cached: true, ..Message::new(Role::Assistant, "So be it") },
        Message { call: Some(call), ..Message::new(Role::Tool, "clicked") },
        Message { picture: Some("QUJD".to_owned()), ..Message::new(Role::User, "Page two") },
    ];
    let sent = async |model: &str, answer: Answer| -> Value {
        let server = ModelServer::start(vec![answer]).await;
        let mut provider = Provider::new(model, Some(&server.url), None, patience()).expect("is there");
        provider.summarise(&messages).await.expect("answers");
        server.asked().remove(0).body
    };
    let body = sent("openai::test-model", openai_words("fine")).await;
    assert_eq!(body["tools"], Value::Null, "words alone were wanted");
    let told = &body["messages"];
    assert_eq!(told[2]["tool_calls"][0]["function"]["arguments"], r#"{"ref":"e3"}"#);
    assert_eq!((&told[3]["role"], &told[3]["tool_call_id"]), (&json!("tool"), &json!("c1")));
    assert_eq!(told[4]["content"][1]["image_url"]["url"], "data:image/jpeg;base64,QUJD");

    let body = sent("claude-test", anthropic("back", &json!({}))).await;
    let kept = json!({ "type": "ephemeral" });
    assert_eq!(body["system"][0]["cache_control"], kept);
    let told = &body["messages"];
    assert_eq!(told[1]["content"][1]["type"], "tool_use");
    assert_eq!(told[1]["content"][1]["cache_control"], kept);
    assert_eq!(
        (&told[2]["content"][0]["type"], &told[2]["content"][0]["tool_use_id"]),
        (&json!("tool_result"), &json!("c1"))
    );
    assert_eq!(
        told[3]["content"][1]["source"],
        json!({ "type": "base64", "media_type": "image/jpeg", "data": "QUJD" })
    );
}
