//! The command `snapshot-agent run`, as a user calls it.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod model_server;
mod site;

use std::path::Path;
use std::process::{Output, Stdio};

use model_server::{Answer, ModelServer, anthropic};
use serde_json::json;
use site::{Site, browser};

const KEY: &str = "sk-canary-77aa88bb99cc";

async fn agent(folder: &Path, url: &str, arguments: &[&str]) -> Output {
    let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_snapshot-agent"));
    command
        .args(["run", "--no-sandbox", "--task", "Press it", "--url", url])
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", folder)
        .env("ANTHROPIC_API_KEY", KEY)
        .env("PIN", "Walrus-in-teal-31")
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let output = tokio::time::timeout(std::time::Duration::from_secs(90), command.output());
    output.await.expect("ends in time").expect("starts")
}

fn words(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_settings_are_named_before_anything_starts() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("bad.toml"), "modle = \"x\"").expect("is written");
    let url = "http://127.0.0.1:9/";
    for (arguments, expected) in [
        (&[][..], "--model"),
        (&["--model", "gpt-4o"], "OPENAI_API_KEY"),
        (&["--model", "mystery"], "--endpoint"),
        (&["--model", "claude-x", "--endpoint", "http://models.example/"], "https"),
        (&["--model", "script:missing.txt"], "missing.txt"),
        (&["--model", "exec:./missing"], "cannot be started"),
        (&["--model", "claude-x", "--history", "all"], "last-two"),
        (&["--model", "claude-x", "--representation", "pdf"], "pdf"),
        (&["--model", "claude-x", "--allow", "example"], "is no origin"),
        (&["--model", "claude-x", "--allow-parts", "example"], "is no origin"),
        (&["--model", "claude-x", "--secret", "pin"], "NAME=ORIGIN=VARIABLE"),
        (&["--model", "claude-x", "--secret", "pin=https://a.example=MISSING"], "MISSING is not set"),
        (&["--model", "claude-x", "--upload", "missing.pdf"], "missing.pdf"),
        (&["--config", "bad.toml"], "line 1"),
        (&["--config", "none.toml"], "none.toml"),
    ] {
        let output = agent(folder.path(), url, arguments).await;
        let said = words(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(said.starts_with("error: ") && said.contains(expected), "{arguments:?}: {said}");
        assert!(!said.contains(KEY), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_is_done_by_each_kind_of_model() {
    let Some(browser) = browser().await else { return };
    browser.close().await;
    let site = Site::start(|_| {
        Some(
            "<h1>Page</h1><button onclick=\"this.textContent='Pressed'\">Press</button><input aria-label=Pin>"
                .to_owned(),
        )
    })
    .await;
    let folder = tempfile::tempdir().expect("a folder");
    let script = "{\"action\":\"click\",\"ref\":\"{{button \"Press\"}}\"}\n{\"action\":\"done\",\"answer\":\"it was \\u001b[2Jpressed\"}\n";
    std::fs::write(folder.path().join("script.txt"), script).expect("is written");
    let program = "#!/bin/sh\nread line\necho '{\"call\":{\"name\":\"click\",\"arguments\":{\"ref\":\"e1\"}},\"usage\":{\"input\":7}}'\n\
                   read line\necho '{\"call\":{\"name\":\"done\",\"arguments\":{\"answer\":\"it was '${PIN:-pressed}'\"}}}'\n";
    std::fs::write(folder.path().join("program"), program).expect("is written");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let path = folder.path().join("program");
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("is set");
    }
    let service = ModelServer::start(vec![
        anthropic("click", &json!({ "ref": "e1" })),
        anthropic("type", &json!({ "ref": "e2", "text": "<secret:pin>" })),
        anthropic("done", &json!({ "answer": "it was pressed" })),
    ])
    .await;
    let config = format!(
        "model = \"claude-test\"\nendpoint = \"{}\"\nhistory = \"last-two\"\nbudget = 500\n\
         [secrets.pin]\norigin = \"{}\"\nenv = \"PIN\"\n",
        service.url, site.url
    );
    std::fs::write(folder.path().join("config.toml"), config).expect("is written");
    let secret = format!("pin={}=PIN", site.url);
    for (name, arguments) in [
        ("script", &["--model", "script:script.txt"][..]),
        ("program", &["--model", "exec:./program", "--secret", &secret]),
        ("service", &["--config", "config.toml"]),
    ] {
        let trace = format!("{name}.jsonl");
        let arguments: Vec<&str> = arguments.iter().copied().chain(["--trace", &trace]).collect();
        let output = agent(folder.path(), &site.url, &arguments).await;
        let (said, told) = (words(&output.stdout), words(&output.stderr));
        assert!(output.status.success(), "{name}: {told}");
        assert_eq!(said, if name == "script" { "it was [2Jpressed\n" } else { "it was pressed\n" }, "{name}");
        assert!(told.contains(&format!("{name}.html")), "{name}: {told}");
        for file in [trace.clone(), format!("{name}.html")] {
            let written = std::fs::read_to_string(folder.path().join(&file)).expect("is written");
            assert!(written.contains("Pressed"), "{file}");
            assert!(!written.contains(KEY) && !written.contains("Walrus"), "{file}");
        }
        let again = agent(folder.path(), &site.url, &arguments).await;
        assert!(words(&again.stderr).contains("is there already"), "{}", words(&again.stderr));
    }
    for asked in service.asked() {
        assert!(asked.head.contains(KEY) && !asked.body.to_string().contains("Walrus"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_of_no_help_is_told_in_one_line_with_the_trace_saved() {
    let Some(browser) = browser().await else { return };
    browser.close().await;
    let site = Site::start(|_| Some("<h1>Page</h1>".to_owned())).await;
    let folder = tempfile::tempdir().expect("a folder");
    let refused = json!({ "error": { "message": format!("\u{1b}]0;no\u{7} the key {KEY} is wrong") } });
    let service = ModelServer::start(vec![Answer::Json(401, Vec::new(), refused)]).await;
    let arguments = ["--model", "claude-test", "--endpoint", &service.url, "--trace", "run.jsonl"];
    let output = agent(folder.path(), &site.url, &arguments).await;
    let told = words(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("check the key") && !told.contains(KEY) && !told.contains('\u{1b}'), "{told}");
    let trace = std::fs::read_to_string(folder.path().join("run.jsonl")).expect("is written");
    assert!(trace.contains("check the key") && !trace.contains(KEY), "{trace}");
}
