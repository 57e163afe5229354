//! The MCP server as a client sees it: lines of JSON-RPC on the program's standard input and
//! output, with a real Chromium behind it. Skipped, with a word, where there is no browser.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::TcpListener;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// A client of one server.
struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Lines<BufReader<ChildStdout>>,
    next: u64,
}

impl Client {
    async fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_snapshot-agent"))
            .arg("mcp")
            // The pages are ours; whoever tests may be root, for whom the sandbox does not work.
            .arg("--no-sandbox")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the program starts");
        let stdin = child.stdin.take();
        let lines = BufReader::new(child.stdout.take().expect("is piped")).lines();
        let mut client = Self { child, stdin, lines, next: 1 };
        let hello = client
            .request(
                "initialize",
                json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "0" } }),
            )
            .await;
        assert_eq!(hello["result"]["serverInfo"]["name"], "snapshot-agent", "{hello}");
        client.send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        client
    }

    async fn send(&mut self, message: Value) {
        let stdin = self.stdin.as_mut().expect("is open");
        stdin.write_all(format!("{message}\n").as_bytes()).await.expect("listens");
    }

    async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.next;
        self.next += 1;
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
        loop {
            let line = tokio::time::timeout(Duration::from_secs(60), self.lines.next_line()).await;
            let line = line.expect("answers in time").expect("is readable").expect("the server is there");
            let message: Value = serde_json::from_str(&line).expect("nothing but JSON is on standard output");
            if message["id"] == id {
                return message;
            }
        }
    }

    /// Calls a tool: its text, and whether it failed.
    async fn call(&mut self, tool: &str, arguments: Value) -> (String, bool) {
        let answer = self.request("tools/call", json!({ "name": tool, "arguments": arguments })).await;
        let content = &answer["result"]["content"][0];
        let text = content["text"].as_str().or(content["data"].as_str()).unwrap_or_default().to_owned();
        (text, answer["result"]["isError"] == true)
    }

    async fn done(&mut self, tool: &str, arguments: Value) -> String {
        let (text, failed) = self.call(tool, arguments.clone()).await;
        assert!(!failed, "{tool} {arguments}: {text}");
        text
    }

    async fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let (text, failed) = self.call(tool, arguments.clone()).await;
        assert!(failed, "{tool} {arguments}: {text}");
        text
    }

    /// Ends as a client does: by closing our standard input.
    async fn end(mut self) {
        drop(self.stdin.take());
        let status = tokio::time::timeout(Duration::from_secs(20), self.child.wait()).await;
        assert!(status.expect("ends by itself").expect("ends").success());
    }
}

/// The id in the first line of a text that contains some words.
fn id(text: &str, words: &str) -> String {
    let line = text.lines().find(|line| line.contains(words)).unwrap_or_else(|| panic!("{words:?} is not in\n{text}"));
    let (_, behind) = line.split_once("[ref=").unwrap_or_else(|| panic!("no id in {line}"));
    behind.split(']').next().unwrap_or_default().to_owned()
}

fn has_browser() -> bool {
    let known = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let found = known.iter().any(|name| std::process::Command::new(name).arg("--version").output().is_ok());
    if !found {
        #[allow(clippy::print_stderr, reason = "who tests must know what was not tested")]
        {
            eprintln!("skipped: no Chromium was found");
        }
    }
    found
}

/// Serves pages on the loopback interface by their path.
async fn site(pages: &'static [(&'static str, &'static str)]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let url = format!("http://{}", listener.local_addr().expect("is bound"));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = vec![0; 8192];
            let read = stream.read(&mut request).await.unwrap_or_default();
            let text = String::from_utf8_lossy(&request[..read]).into_owned();
            let path = text.split_whitespace().nth(1).unwrap_or_default();
            let page = pages.iter().find(|(known, _)| *known == path).map_or("not here", |(_, page)| *page);
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close";
            let _ =
                stream.write_all(format!("{head}\r\nContent-Length: {}\r\n\r\n{page}", page.len()).as_bytes()).await;
        }
    });
    url
}

const SHOP: &str = "<!DOCTYPE html><title>Tea</title><h1>Tea shop</h1>
<ul id=list></ul><label>Search <input id=search></label><select aria-label=Sort><option>Name<option>Price</select>
<button id=late onclick=\"setTimeout(() => note.textContent = 'Order taken', 700)\">Order</button><p id=note>Nothing yet</p>
<a href=/about>About</a> <a href=/away target=_blank>Window</a>
<script>for (let i = 1; i <= 60; i++) { const item = document.createElement('li');
  item.innerHTML = `Tea number ${i} <button>Add tea ${i}</button>`; list.append(item);
  item.querySelector('button').onclick = event => { event.target.textContent = 'In the basket: ' + i; alert('Added ' + i); }; }
search.addEventListener('keydown', event => { if (event.key === 'Enter') document.title = 'Found ' + search.value; });
</script>";

#[tokio::test(flavor = "multi_thread")]
async fn a_client_sees_and_does_what_a_person_would() {
    if !has_browser() {
        return;
    }
    let url = site(&[
        ("/", SHOP),
        ("/about", "<title>About</title><p>We sell tea."),
        ("/away", "<title>Away</title><p>Elsewhere"),
    ])
    .await;
    let mut client = Client::start(&["--allow", &url]).await;
    let tools = client.request("tools/list", json!({})).await;
    let names: Vec<&str> =
        tools["result"]["tools"].as_array().unwrap().iter().filter_map(|tool| tool["name"].as_str()).collect();
    for name in [
        "navigate",
        "snapshot",
        "expand",
        "find",
        "click",
        "type",
        "select",
        "press",
        "scroll",
        "wait",
        "tabs",
        "screenshot",
        "close",
    ] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }

    let page = client.done("navigate", json!({ "url": url, "then": "snapshot" })).await;
    assert!(page.contains("Page: \"Tea\"") && page.contains("heading \"Tea shop\""), "{page}");
    // The first snapshot is the ground of the next one's changes, and ids hold.
    let add = id(&page, "\"Add tea 7\"");
    let clicked = client.done("click", json!({ "ref": add, "then": "delta" })).await;
    assert!(clicked.contains("alert: Added 7"), "the dialog is told: {clicked}");
    assert!(clicked.contains("In the basket: 7") && clicked.contains("lines as before"), "{clicked}");
    assert!(!clicked.contains("Add tea 20"), "only what changed is told: {clicked}");
    let same = client.done("snapshot", json!({ "delta": true })).await;
    assert!(same.contains("nothing has changed"), "{same}");

    let found = client.done("find", json!({ "text": "ADD TEA 42" })).await;
    assert!(found.contains("button \"Add tea 42\"") && !found.contains("Add tea 41"), "{found}");
    let small = client.done("snapshot", json!({ "budget": 128, "task": "add tea 33" })).await;
    assert!(small.contains("left out") && small.len() < 1200, "{small}");
    let wider = client.done("expand", json!({ "refs": id(&found, "Add tea 42") })).await;
    assert!(wider.contains("Add tea 42"), "{wider}");
    let part = client.done("snapshot", json!({ "scope": "#list li:nth-child(3)", "representation": "list" })).await;
    assert!(part.contains("Add tea 3") && !part.contains("Add tea 4"), "{part}");

    let search = id(&page, "textbox \"Search\"");
    client.done("type", json!({ "ref": search, "text": "mate", "submit": true })).await;
    let tabs = client.done("tabs", json!({})).await;
    assert!(tabs.contains("tab 1 (current): \"Found mate\""), "{tabs}");
    client.done("press", json!({ "ref": search, "key": "x" })).await;
    let sort = id(&page, "combobox \"Sort\"");
    client.done("select", json!({ "ref": sort, "option": "Price" })).await;
    let order = id(&page, "button \"Order\"");
    client.done("click", json!({ "ref": order })).await;
    client.done("wait", json!({ "text": "order taken", "seconds": 5 })).await;
    client.done("wait", json!({ "gone": "nothing yet", "seconds": 5 })).await;
    let now = client.done("snapshot", json!({})).await;
    assert!(now.contains("textbox \"Search\"") && now.contains("matex"), "{now}");
    assert!(now.contains("option \"Price\" [selected]"), "{now}");
    let scrolled = client.done("scroll", json!({ "pages": 0.5 })).await;
    assert!(scrolled.contains("pages are above the window"), "{scrolled}");
    client.done("scroll", json!({ "ref": add })).await;

    let window = client.done("click", json!({ "ref": id(&page, "link \"Window\"") })).await;
    assert!(window.contains("/away"), "{window}");
    client.done("back", json!({ "then": "delta" })).await;
    let opened = client.done("tabs", json!({ "action": "open", "url": format!("{url}/about") })).await;
    assert!(opened.contains("tab 2 (current): \"About\""), "{opened}");
    client.done("tabs", json!({ "action": "select", "tab": 1 })).await;
    let closed = client.done("tabs", json!({ "action": "close", "tab": 2 })).await;
    assert!(closed.contains("tab 1 (current)") && !closed.contains("\ntab 2"), "{closed}");
    let picture = client.done("screenshot", json!({})).await;
    assert!(picture.starts_with("iVBORw0KGgo"), "is a PNG");
    let part = client.done("screenshot", json!({ "ref": id(&now, "button \"Order\"") })).await;
    assert!(part.starts_with("iVBORw0KGgo") && part.len() < picture.len());
    client.done("close", json!({})).await;
    client.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_done_is_a_result_in_words() {
    if !has_browser() {
        return;
    }
    let url = site(&[("/", SHOP)]).await;
    let other = site(&[("/", "<p>outside")]).await;
    let mut client = Client::start(&["--allow", &url]).await;
    assert!(client.refused("click", json!({ "ref": "e1" })).await.contains("take a snapshot"));
    assert!(client.refused("fly", json!({})).await.contains("the tools are"));
    assert!(client.refused("click", json!({ "selector": "#a" })).await.contains("no parameter"));
    assert!(client.refused("navigate", json!({ "url": other })).await.contains("not allowed"));
    assert!(client.refused("navigate", json!({ "url": "file:///etc/passwd" })).await.contains("not allowed"));
    assert!(client.refused("navigate", json!({ "url": "" })).await.contains("address"));
    client.done("navigate", json!({ "url": url })).await;
    client.done("snapshot", json!({})).await;
    assert!(client.refused("click", json!({ "ref": "e9999" })).await.contains("nearest are e"));
    assert!(client.refused("snapshot", json!({ "representation": "pdf" })).await.contains("ax"));
    assert!(client.refused("snapshot", json!({ "scope": "#nowhere" })).await.contains("#nowhere"));
    assert!(client.refused("snapshot", json!({ "scope": ":::" })).await.contains(":::"));
    assert!(client.refused("press", json!({ "key": "Hyper+x" })).await.contains("there is no key"));
    assert!(client.refused("wait", json!({ "text": "unheard of", "seconds": 0.3 })).await.contains("has not appeared"));
    assert!(client.refused("tabs", json!({ "action": "close", "tab": 9 })).await.contains("open are 1"));
    assert!(client.refused("expand", json!({ "refs": "all" })).await.contains("no ids"));
    // And it goes on.
    assert!(client.done("find", json!({ "text": "tea shop" })).await.contains("Tea shop"));
    client.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_needs_to_be_told_where_its_client_may_go() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_snapshot-agent"));
    let output = command.arg("mcp").stdin(Stdio::null()).output().await.expect("starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--allow"));
}
