//! When is a page at rest? Our way of waiting beside fixed sleeps and network-idle, on pages of
//! our own that load late, navigate within themselves, tick for ever and show toasts.
//!
//! `cargo run -p snapshot-agent --example stability -- --no-sandbox` prints the ledger; with
//! `--write` it goes to `benches/ledgers/stability.toml`. A way of waiting is *right* on a page
//! when what matters is there once it returns; the time is the median of the rounds.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Parser;
use serde_json::json;
use snapshot_agent::action::Action;
use snapshot_agent::browser::{Browser, LaunchOptions};
use snapshot_agent::session::{Look, Session};
use snapshot_core::tokens;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// The longest that any way may wait.
const LIMIT: Duration = Duration::from_secs(8);

/// Pages: name, HTML, what must be there. `/slow?N` answers after N milliseconds.
const PAGES: &[(&str, &str, &str)] = &[
    ("plain", "<h1>Ready</h1>", "Ready"),
    ("late-data", "<h1 id=h>…</h1><script>fetch('/slow?900').then(() => h.textContent = 'Ready')</script>", "Ready"),
    (
        "data-in-turns",
        "<h1 id=h>…</h1><script>(async () => { for (const wait of [300, 500, 400]) await fetch('/slow?' + wait); h.textContent = 'Ready'; })()</script>",
        "Ready",
    ),
    ("late-timer", "<h1 id=h>…</h1><script>setTimeout(() => h.textContent = 'Ready', 450)</script>", "Ready"),
    // Nothing tells of a timer that is still to go off.
    ("later-timer", "<h1 id=h>…</h1><script>setTimeout(() => h.textContent = 'Ready', 1200)</script>", "Ready"),
    (
        "late-script",
        "<h1 id=h>…</h1><script>const s = document.createElement('script'); s.src = '/slow.js?1200'; document.head.append(s)</script>",
        "Ready",
    ),
    (
        "in-page-navigation",
        "<main id=h>…</main><script>setTimeout(() => { history.pushState(1, '', '/inner'); fetch('/slow?700').then(() => h.innerHTML = '<h1>Ready</h1>'); }, 100)</script>",
        "Ready",
    ),
    (
        "ticker",
        "<p id=t>0</p><h1 id=h>…</h1><script>let n = 0; setInterval(() => t.textContent = 'Price ' + ++n, 50); fetch('/slow?600').then(() => h.textContent = 'Ready')</script>",
        "Ready",
    ),
    (
        "endless-requests",
        "<h1 id=h>…</h1><script>setInterval(() => fetch('/slow?10'), 120); setTimeout(() => h.textContent = 'Ready', 700)</script>",
        "Ready",
    ),
    (
        "open-stream",
        "<h1 id=h>…</h1><script>fetch('/slow?60000'); fetch('/slow?500').then(() => h.textContent = 'Ready')</script>",
        "Ready",
    ),
    (
        "toast",
        "<h1>Shop</h1><div id=h></div><script>fetch('/slow?400').then(() => { h.innerHTML = '<p role=status>Ready</p>'; setTimeout(() => h.innerHTML = '', 4000); })</script>",
        "Ready",
    ),
];

#[derive(Debug, Parser)]
struct Settings {
    /// Run the pages without the browser's sandbox, for root.
    #[arg(long)]
    no_sandbox: bool,

    /// Rounds; the median counts.
    #[arg(long, default_value_t = 3)]
    rounds: usize,

    /// Write the ledger.
    #[arg(long)]
    write: bool,
}

/// A way of waiting.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// That of the agent.
    Ours,
    Sleep(Duration),
    /// Loaded, and for half a second nothing under way on the network.
    NetworkIdle,
}

const WAYS: &[(&str, Way)] = &[
    ("ours", Way::Ours),
    ("sleep-500-ms", Way::Sleep(Duration::from_millis(500))),
    ("sleep-2-s", Way::Sleep(Duration::from_secs(2))),
    ("network-idle", Way::NetworkIdle),
];

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let settings = Settings::parse();
    let url = serve().await?;
    let mut options = LaunchOptions::default();
    options.sandbox = !settings.no_sandbox;
    let mut session = Session::start(Browser::launch(&options).await?, None).await?;
    let mut ledger = String::from(
        "# Whether what matters was there when a way of waiting returned, of all rounds, and the median milliseconds.\n",
    );
    let _ = writeln!(ledger, "\nrounds = {}", settings.rounds);
    for (name, _, wanted) in PAGES {
        let _ = writeln!(ledger, "\n[{name}]");
        for (way_name, way) in WAYS {
            let mut right = 0;
            let mut times = Vec::new();
            for _ in 0..settings.rounds {
                let (took, text) = wait(&mut session, &format!("{url}/{name}"), *way).await?;
                right += usize::from(text.contains(wanted));
                times.push(took.as_millis());
            }
            times.sort_unstable();
            let _ = writeln!(ledger, "{way_name} = {{ right = {right}, milliseconds = {} }}", times[times.len() / 2]);
        }
    }
    session.close().await;
    if settings.write {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/ledgers/stability.toml");
        std::fs::write(&file, ledger).with_context(|| file.display().to_string())?;
    } else {
        print!("{ledger}");
    }
    Ok(())
}

/// Opens a page, waits, and tells how long that took and what the page says then.
async fn wait(session: &mut Session, url: &str, way: Way) -> anyhow::Result<(Duration, String)> {
    session.act(&Action::Navigate { url: "about:blank".to_owned() }).await?.map_err(anyhow::Error::msg)?;
    let tab = session.tab()?;
    let begun = Instant::now();
    if let Way::Ours = way {
        tab.navigate(url, LIMIT).await?;
        let look = Look {
            representation: "ax".to_owned(),
            scope: None,
            budget: None,
            encoding: tokens::find("chars4")?,
            task: String::new(),
        };
        let text = session.look(&look).await?.text.clone();
        return Ok((begun.elapsed(), text));
    }
    tab.send("Page.navigate", json!({ "url": url })).await?;
    match way {
        Way::Sleep(time) => tokio::time::sleep(time).await,
        _ => {
            // Until the page has begun, the one before it is quiet.
            tokio::time::sleep(Duration::from_millis(50)).await;
            tab.wait_until_quiet(Duration::from_millis(500), LIMIT).await;
        }
    }
    let took = begun.elapsed();
    let expression = json!({ "expression": "document.body ? document.body.innerText : ''", "returnByValue": true });
    let said = tab.send("Runtime.evaluate", expression).await?;
    Ok((took, said["result"]["value"].as_str().unwrap_or_default().to_owned()))
}

/// Serves the pages on the loopback interface.
async fn serve() -> std::io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}", listener.local_addr()?);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut request = vec![0; 4096];
                let read = stream.read(&mut request).await.unwrap_or_default();
                let text = String::from_utf8_lossy(&request[..read]).into_owned();
                let path = text.split_whitespace().nth(1).unwrap_or_default();
                let (kind, body) = match path.split_once('?') {
                    Some((slow, wait)) => {
                        tokio::time::sleep(Duration::from_millis(wait.parse().unwrap_or_default())).await;
                        ("text/javascript", if slow.ends_with(".js") { "h.textContent = 'Ready'" } else { "" })
                    }
                    None => {
                        let page = PAGES.iter().find(|(name, ..)| path.strip_prefix('/') == Some(name));
                        ("text/html; charset=utf-8", page.map_or("", |(_, html, _)| html))
                    }
                };
                let head = format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close",
                    body.len()
                );
                // Who does not wait for the answer does not want it.
                let _ = stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).await;
            });
        }
    });
    Ok(url)
}
