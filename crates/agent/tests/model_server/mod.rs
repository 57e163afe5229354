//! A model service on the loopback interface: as much of HTTP as a client needs, answers and
//! faults from a list, and a record of what it was asked.

#![allow(dead_code, reason = "each suite uses a part")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What the service does with a request.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// A status, headers and a body in JSON.
    Json(u16, Vec<(&'static str, String)>, Value),
    /// A status, a content type and a body of any kind.
    Body(u16, &'static str, String),
    /// The head promises more than comes, and the connection ends.
    CutShort(String),
    /// The connection ends with nothing said.
    Reset,
    /// Nothing is said, and the connection stays.
    Stall,
    /// A byte of the body at a time, with pauses.
    Slow(String, Duration),
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) head: String,
    pub(crate) body: Value,
}

/// A running service. The last answer is given again and again.
pub(crate) struct ModelServer {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    task: tokio::task::JoinHandle<()>,
}

impl ModelServer {
    pub(crate) async fn start(answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let url = format!("http://{}/v1/", listener.local_addr().expect("is bound"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (kept, answers) = (Arc::clone(&kept), answers.clone());
                tokio::spawn(async move {
                    // No test takes as long.
                    let _ = tokio::time::timeout(Duration::from_secs(60), serve(stream, &kept, &answers)).await;
                });
            }
        });
        Self { url, asked, task }
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("is whole").clone()
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(mut stream: TcpStream, kept: &Mutex<Vec<Asked>>, answers: &[Answer]) -> std::io::Result<()> {
    let Some(asked) = read(&mut stream).await? else { return Ok(()) };
    let count = {
        let mut kept = kept.lock().expect("is whole");
        kept.push(asked);
        kept.len()
    };
    match answers.get(count - 1).or(answers.last()).expect("there is an answer") {
        Answer::Json(status, headers, body) => {
            let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
            write(&mut stream, *status, &format!("Content-Type: application/json\r\n{headers}"), &body.to_string())
                .await?;
        }
        Answer::Body(status, kind, body) => {
            write(&mut stream, *status, &format!("Content-Type: {kind}\r\n"), body).await?;
        }
        Answer::CutShort(body) => {
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
                body.len() + 100
            );
            stream.write_all(head.as_bytes()).await?;
            stream.write_all(body.as_bytes()).await?;
        }
        // Dropped with the request unread in part or whole, the connection is reset.
        Answer::Reset => stream.set_zero_linger()?,
        Answer::Stall => tokio::time::sleep(Duration::from_secs(50)).await,
        Answer::Slow(body, pause) => {
            let head =
                format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n", body.len());
            stream.write_all(head.as_bytes()).await?;
            for byte in body.bytes() {
                stream.write_all(&[byte]).await?;
                tokio::time::sleep(*pause).await;
            }
        }
    }
    stream.shutdown().await
}

async fn write(stream: &mut TcpStream, status: u16, headers: &str, body: &str) -> std::io::Result<()> {
    let head =
        format!("HTTP/1.1 {status} Whatever\r\nContent-Length: {}\r\nConnection: close\r\n{headers}\r\n", body.len());
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await
}

async fn read(stream: &mut TcpStream) -> std::io::Result<Option<Asked>> {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; 65536];
    loop {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        if let Some(end) = end {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let length = head
                .lines()
                .filter_map(|line| line.split_once(':'))
                .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
                .map_or(0, |(_, value)| value.trim().parse().expect("is a number"));
            let body = &bytes[end + 4..];
            if body.len() >= length {
                let path = head.split_whitespace().nth(1).unwrap_or_default().to_owned();
                let body = serde_json::from_slice(body).unwrap_or_default();
                return Ok(Some(Asked { path, head, body }));
            }
        }
        let read = stream.read(&mut buffer).await?;
        if read == 0 {
            return Ok(None);
        }
        bytes.extend_from_slice(&buffer[..read]);
    }
}

/// An action in the answer of OpenAI's chat.
pub(crate) fn openai(name: &str, arguments: &Value) -> Answer {
    let call = json!({
        "id": format!("call_{name}"), "type": "function",
        "function": { "name": name, "arguments": arguments.to_string() }
    });
    openai_message(&json!({ "role": "assistant", "content": null, "tool_calls": [call] }), "tool_calls")
}

/// Words in the answer of OpenAI's chat.
pub(crate) fn openai_words(words: &str) -> Answer {
    openai_message(&json!({ "role": "assistant", "content": words }), "stop")
}

fn openai_message(message: &Value, reason: &str) -> Answer {
    let body = json!({
        "id": "chatcmpl-1", "object": "chat.completion", "model": "test-model",
        "choices": [{ "index": 0, "message": message, "finish_reason": reason }],
        "usage": {
            "prompt_tokens": 812, "completion_tokens": 20, "total_tokens": 832,
            "prompt_tokens_details": { "cached_tokens": 512 }
        }
    });
    Answer::Json(200, Vec::new(), body)
}

/// An action in the answer of Anthropic's messages, behind some words.
pub(crate) fn anthropic(name: &str, arguments: &Value) -> Answer {
    let content = json!([
        { "type": "text", "text": format!("I will {name}.") },
        { "type": "tool_use", "id": format!("toolu_{name}"), "name": name, "input": arguments }
    ]);
    let body = json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test", "content": content,
        "stop_reason": "tool_use",
        "usage": {
            "input_tokens": 300, "cache_read_input_tokens": 500, "cache_creation_input_tokens": 12, "output_tokens": 20
        }
    });
    Answer::Json(200, Vec::new(), body)
}
