//! As much of HTTP as a browser needs to visit the shop, on the loopback interface only.

use std::collections::BTreeMap;
use std::io::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::shop::{Answer, Order, Shop};

/// No request of the demonstration is longer.
const LONGEST_REQUEST: usize = 64 << 10;

/// A running shop; it closes when this is dropped.
pub(super) struct Server {
    url: String,
    shop: Arc<Mutex<Shop>>,
    task: JoinHandle<()>,
}

impl Server {
    pub(super) async fn start() -> Result<Self, Error> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}/", listener.local_addr()?);
        let shop = Arc::new(Mutex::new(Shop::default()));
        let served = Arc::clone(&shop);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let shop = Arc::clone(&served);
                tokio::spawn(async move {
                    // A browser may break off whatever it asked for.
                    let _ = tokio::time::timeout(Duration::from_secs(10), serve(stream, &shop)).await;
                });
            }
        });
        Ok(Self { url, shop, task })
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    pub(super) fn orders(&self) -> Vec<Order> {
        self.shop.lock().unwrap_or_else(PoisonError::into_inner).orders.clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(mut stream: TcpStream, shop: &Mutex<Shop>) -> Result<(), Error> {
    let Some((head, body)) = read_request(&mut stream).await? else { return Ok(()) };
    let mut words = head.split_whitespace();
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or("/"));
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let answer = {
        let mut shop = shop.lock().unwrap_or_else(PoisonError::into_inner);
        match method {
            "GET" => shop.get(path, &fields(query)),
            "POST" => shop.post(path, &fields(&body)),
            _ => Answer::Missing,
        }
    };
    let (status, extra, content) = match answer {
        Answer::Page(page) => ("200 OK", String::new(), page),
        Answer::Redirect(to) => ("303 See Other", format!("Location: {to}\r\n"), String::new()),
        Answer::Missing => {
            ("404 Not Found", String::new(), "<!DOCTYPE html><title>Not here</title><h1>Not here</h1>".to_owned())
        }
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n{extra}Connection: close\r\n\r\n",
        content.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(content.as_bytes()).await?;
    stream.shutdown().await
}

/// The head and the body; nothing when the request is cut short or too long.
async fn read_request(stream: &mut TcpStream) -> Result<Option<(String, String)>, Error> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .filter_map(|line| line.split_once(':'))
                .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
                .and_then(|(_, value)| value.trim().parse::<usize>().ok())
                .unwrap_or_default();
            if body.len() >= length {
                return Ok(Some((head.to_owned(), body.to_owned())));
            }
        }
        let read = stream.read(&mut buffer).await?;
        if read == 0 || bytes.len() > LONGEST_REQUEST {
            return Ok(None);
        }
        bytes.extend(buffer.iter().take(read));
    }
}

/// The fields of a query or a form (URL Standard, `application/x-www-form-urlencoded`).
fn fields(text: &str) -> BTreeMap<String, String> {
    url::form_urlencoded::parse(text.as_bytes()).into_owned().collect()
}
