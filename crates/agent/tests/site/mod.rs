//! A site on the loopback interface: pages from a table, and a record of what was asked for.

#![allow(dead_code, reason = "each suite uses a part")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use snapshot_agent::Error;
use snapshot_agent::browser::{Browser, LaunchOptions};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// A running site; it ends when this is dropped.
pub(crate) struct Site {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<String>>>,
    task: tokio::task::JoinHandle<()>,
}

impl Site {
    /// Serves what `page` gives for a path; nothing is a 404, `redirect:ADDRESS` leads elsewhere.
    pub(crate) async fn start(page: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let url = format!("http://{}", listener.local_addr().expect("is bound"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (kept, page) = (Arc::clone(&asked), Arc::new(page));
        let task = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (kept, page) = (Arc::clone(&kept), Arc::clone(&page));
                tokio::spawn(async move {
                    let mut request = vec![0; 16384];
                    let reading = tokio::time::timeout(Duration::from_secs(10), stream.read(&mut request));
                    let Ok(Ok(read)) = reading.await else { return };
                    let text = String::from_utf8_lossy(&request[..read]).into_owned();
                    let Some(path) = text.split_whitespace().nth(1).map(str::to_owned) else { return };
                    kept.lock().expect("is whole").push(text);
                    let plain = path.split(['?', '#']).next().unwrap_or_default();
                    let answer = match page(plain) {
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
        Self { url, asked, task }
    }

    /// The requests as they came.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("is whole").clone()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Starts a browser; none, with a word, where there is no program.
pub(crate) async fn browser() -> Option<Browser> {
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
