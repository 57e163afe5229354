//! A model that is a program: it gets a JSON object a line and answers with one.
//!
//! Asked with `{"messages":[{"role":"system","text":"…"},…],"tools":[{"name":"click",…},…]}`, it
//! answers `{"text":"…"}` or `{"call":{"name":"click","arguments":{"ref":"e12"}}}`, and may add
//! `"usage":{"input":812,"cached":0,"output":20}`. Without `tools` it is asked for words alone.

use std::process::Stdio;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::{Call, Failure, Message, Model, ModelError, Patience, Reply, Usage};
use crate::action::TOOLS;

/// No answer is longer.
const LONGEST_ANSWER: u64 = 1 << 20;

/// A running program; it ends when this is dropped.
#[derive(Debug)]
pub struct Program {
    name: String,
    limit: Duration,
    // Kept so that it is ended with this.
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Answer {
    text: String,
    call: Option<Call>,
    usage: Option<Usage>,
    error: Option<String>,
}

impl Program {
    /// Starts a program without arguments; its errors go where ours go. It gets the environment
    /// except for the variables that are withheld.
    ///
    /// # Errors
    /// [`ModelError`] when it does not start.
    pub fn start(path: &str, patience: Patience, withheld: &[String]) -> Result<Self, ModelError> {
        let refused = |reason: &str| ModelError::new(Failure::Refused, format!("{path} cannot be started: {reason}"));
        let mut command = Command::new(path);
        for variable in withheld {
            command.env_remove(variable);
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| refused(&error.to_string()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(refused("it has no input or output"));
        };
        Ok(Self { name: path.to_owned(), limit: patience.total, child, input, output: BufReader::new(output) })
    }

    async fn ask(&mut self, question: Value) -> Result<Reply, ModelError> {
        let limit = self.limit;
        match tokio::time::timeout(limit, self.exchange(question)).await {
            Ok(Ok(line)) => self.read(&line),
            Ok(Err(error)) => {
                // What it ended with says more than that it ended.
                let ended = self.child.try_wait().ok().flatten().map(|status| format!(", {status}"));
                Err(self.failed(Failure::Unavailable, &format!("{error}{}", ended.unwrap_or_default())))
            }
            Err(_) => Err(self.failed(Failure::Unavailable, &format!("no answer within {} s", limit.as_secs_f64()))),
        }
    }

    async fn exchange(&mut self, question: Value) -> std::io::Result<String> {
        let mut line = question.to_string();
        line.push('\n');
        self.input.write_all(line.as_bytes()).await?;
        self.input.flush().await?;
        let mut answer = Vec::new();
        (&mut self.output).take(LONGEST_ANSWER).read_until(b'\n', &mut answer).await?;
        if answer.last() == Some(&b'\n') {
            return String::from_utf8(answer).map_err(std::io::Error::other);
        }
        let reason = if answer.is_empty() { "it closed its output" } else { "its answer has no end" };
        Err(std::io::Error::other(reason))
    }

    fn read(&self, line: &str) -> Result<Reply, ModelError> {
        let answer: Answer = serde_json::from_str(line)
            .map_err(|error| self.failed(Failure::Unreadable, &format!("its answer cannot be read: {error}")))?;
        match answer.error {
            Some(error) => Err(self.failed(Failure::Refused, &error)),
            None if answer.text.trim().is_empty() && answer.call.is_none() => {
                Err(self.failed(Failure::Unreadable, "its answer is empty"))
            }
            None => Ok(Reply { text: answer.text, call: answer.call, usage: answer.usage, retries: 0 }),
        }
    }

    fn failed(&self, failure: Failure, reason: &str) -> ModelError {
        ModelError::new(failure, format!("{}: {reason}", self.name))
    }
}

impl Model for Program {
    async fn answer(&mut self, messages: &[Message]) -> Result<Reply, ModelError> {
        let tools: Vec<Value> = TOOLS
            .iter()
            .map(|tool| json!({ "name": tool.name, "description": tool.description, "parameters": tool.schema() }))
            .collect();
        self.ask(json!({ "messages": messages, "tools": tools })).await
    }

    async fn summarise(&mut self, messages: &[Message]) -> Result<Reply, ModelError> {
        self.ask(json!({ "messages": messages })).await
    }

    fn takes_tools(&self) -> bool {
        true
    }
}
