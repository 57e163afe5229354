//! What happened, step by step: one JSON object a line, and a page to read it by.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Error;
use crate::model::{Message, Reply, Usage};
use crate::perceive::Sight;

/// One step of a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Step {
    /// Counted from 1.
    pub number: usize,
    /// The page's address.
    pub url: String,
    /// The page's title.
    pub title: String,
    /// The snapshot.
    pub snapshot: String,
    /// Its tokens.
    pub snapshot_tokens: usize,
    /// The messages as sent, each with its role.
    pub prompt: Vec<Value>,
    /// Their tokens.
    pub prompt_tokens: usize,
    /// The model's words, or its call in JSON.
    pub reply: String,
    /// The model's own count of tokens, where it tells.
    pub usage: Option<Usage>,
    /// How often it was asked again before it answered.
    pub retries: usize,
    /// What the action came to.
    pub outcome: String,
    /// Whether it failed.
    pub failed: bool,
    /// Milliseconds to capture and write the page, for the model, and to act and settle.
    pub milliseconds: [u64; 3],
    /// A picture of the page as it was seen, JPEG in base64.
    pub screenshot: String,
    /// Where the elements with ids are in the picture: id, left, top, width, height.
    pub marks: Vec<(String, [f64; 4])>,
    /// How the run ended, for its last step; in the file it stands in a line of its own.
    pub ending: String,
}

/// A run on its way to a file.
#[derive(Debug)]
pub struct Trace {
    file: Option<std::fs::File>,
    path: Option<PathBuf>,
}

impl Trace {
    /// Keeps no trace.
    pub fn none() -> Self {
        Self { file: None, path: None }
    }

    /// Writes to a file, which must not be there yet.
    ///
    /// # Errors
    /// [`Error::TraceExists`], and when it cannot be created.
    pub fn create(path: &Path) -> Result<Self, Error> {
        let file = match std::fs::OpenOptions::new().write(true).create_new(true).open(path) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                return Err(Error::TraceExists { path: path.to_owned() });
            }
            file => file?,
        };
        Ok(Self { file: Some(file), path: Some(path.to_owned()) })
    }

    /// Whether anything is kept, and pictures are worth taking.
    pub fn is_kept(&self) -> bool {
        self.file.is_some()
    }

    /// Where it is written.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Adds a step, so that a run that is broken off leaves what it had.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, step: &Step) -> std::io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let mut line = serde_json::to_string(step)?;
        line.push('\n');
        file.write_all(line.as_bytes())
    }

    /// Says how the run ended, in a line of its own.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn end(&mut self, ending: &str) -> std::io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        writeln!(file, "{}", serde_json::json!({ "ending": ending }))
    }
}

impl Step {
    /// A step with what is known before the model is asked.
    ///
    /// `shown` makes a text of the page fit to be kept.
    pub fn begin(number: usize, sight: &Sight, messages: &[Message], mut shown: impl FnMut(&str) -> String) -> Self {
        Self {
            number,
            url: shown(&sight.url),
            title: shown(&sight.title),
            snapshot: shown(&sight.text),
            prompt: messages.iter().filter_map(as_told).collect(),
            ..Self::default()
        }
    }

    /// Adds the model's answer.
    pub fn answered(&mut self, reply: &Reply) {
        self.reply.clone_from(&reply.text);
        if reply.call.is_some() {
            if !self.reply.is_empty() {
                self.reply.push('\n');
            }
            self.reply.push_str(&reply.action());
        }
        self.usage = reply.usage;
        self.retries = reply.retries;
    }
}

/// A message without its picture, which the step has in a better form.
fn as_told(message: &Message) -> Option<Value> {
    let mut value = serde_json::to_value(message).ok()?;
    if let Some(picture) = value.get_mut("picture") {
        *picture = "JPEG".into();
    }
    Some(value)
}

/// Reads the steps of a trace; the last one has how the run ended.
///
/// # Errors
/// Names the line that is no step.
pub fn read(text: &str) -> Result<Vec<Step>, String> {
    let mut steps: Vec<Step> = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let step: Step = serde_json::from_str(line).map_err(|error| format!("line {}: {error}", number + 1))?;
        match steps.last_mut() {
            Some(last) if step.number == 0 && !step.ending.is_empty() => last.ending = step.ending,
            _ => steps.push(step),
        }
    }
    Ok(steps)
}

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;margin:0;color:#1d2430;background:#f3f4f6}\
    header{padding:1rem 1.5rem;background:#1d2430;color:#fff}section{margin:1rem 1.5rem;padding:1rem;background:#fff;\
    border-radius:8px;display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:1rem}\
    h2{grid-column:1/3;margin:0;font-size:1.05rem}pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:12.5px;\
    background:#f7f7f9;padding:.6rem;border-radius:6px;max-height:34rem;overflow:auto;margin:.3rem 0}\
    .shot{position:relative;overflow:hidden;border:1px solid #d4d7dd}.shot img{display:block;width:100%}\
    .mark{position:absolute;border:1.5px solid #d4380d;font:10px/1 monospace;color:#fff}\
    .mark b{background:#d4380d;padding:0 2px;position:absolute;bottom:100%;left:0}\
    .failed{color:#b3261e}.meta{grid-column:1/3;color:#5b6472;font-size:13px}summary{cursor:pointer}";

/// A page that shows a run as the model saw it; it needs nothing but itself.
pub fn html(steps: &[Step]) -> String {
    let mut page =
        String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Trace</title>\n");
    let (mut prompt, mut time) = (0, 0);
    let ending = steps.last().map_or("", |step| step.ending.as_str());
    let ending = if ending.is_empty() { "broken off" } else { ending };
    for step in steps {
        prompt += step.prompt_tokens;
        time += step.milliseconds.iter().sum::<u64>();
    }
    let _ = write!(
        page,
        "<style>{STYLE}</style>\n<header><h1>Trace</h1>{} steps, {prompt} tokens asked with, {:.1} s: {}</header>\n",
        steps.len(),
        seconds(time),
        escape(ending)
    );
    for step in steps {
        let [see, think, act] = step.milliseconds.map(seconds);
        let _ = write!(
            page,
            "<section><h2>{}. {}</h2><div class=meta>{} · snapshot {} tokens, prompt {} tokens {} · see {see:.2} s, \
             model {think:.2} s, act {act:.2} s</div><div>",
            step.number,
            escape(&step.title),
            escape(&step.url),
            step.snapshot_tokens,
            step.prompt_tokens,
            used(step)
        );
        picture(&mut page, step);
        let failed = if step.failed { " class=failed" } else { "" };
        let _ = write!(
            page,
            "<p>Reply<pre>{}</pre><p{failed}>{}</div><div>Snapshot<pre>{}</pre><details><summary>The prompt as sent</summary>",
            escape(&step.reply),
            escape(&step.outcome),
            escape(&step.snapshot)
        );
        for message in &step.prompt {
            let word = |key: &str| message[key].as_str().unwrap_or_default();
            let call = if message["call"].is_object() { message["call"].to_string() } else { String::new() };
            let cached = if message["cached"] == true { " (kept by the provider up to here)" } else { "" };
            let picture = if message["picture"].is_string() { "a picture of the page\n" } else { "" };
            let _ = write!(
                page,
                "<p>{}{cached}<pre>{picture}{}{}</pre>",
                escape(word("role")),
                escape(word("text")),
                escape(&call)
            );
        }
        page.push_str("</details></div></section>\n");
    }
    page
}

/// What the model says that it used.
fn used(step: &Step) -> String {
    let usage = step.usage.map(|usage| {
        format!(
            ", the model counts {} read ({} from its cache) and {} written",
            usage.input, usage.cached, usage.output
        )
    });
    let retries = (step.retries > 0).then(|| format!(", asked again {} times", step.retries));
    usage.unwrap_or_default() + &retries.unwrap_or_default()
}

/// The screenshot with the ids where their elements are.
fn picture(page: &mut String, step: &Step) {
    // A trace is read from a file that anybody may have written.
    let base64 = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
    if step.screenshot.is_empty() || !base64(&step.screenshot) {
        return;
    }
    let _ = write!(page, "<div class=shot><img alt=\"\" src=\"data:image/jpeg;base64,{}\">", step.screenshot);
    for (id, [left, top, width, height]) in &step.marks {
        let _ = write!(
            page,
            "<span class=mark style=\"left:{left:.2}%;top:{top:.2}%;width:{width:.2}%;height:{height:.2}%\"><b>{}</b></span>",
            escape(id)
        );
    }
    page.push_str("</div>");
}

#[allow(clippy::cast_precision_loss, reason = "a run takes less than 2^52 milliseconds")]
fn seconds(milliseconds: u64) -> f64 {
    milliseconds as f64 / 1e3
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_or_model_says_is_text_in_the_trace() {
        let evil = "</pre><script>alert(1)</script>\"'&";
        let step = Step {
            title: evil.to_owned(),
            url: evil.to_owned(),
            snapshot: evil.to_owned(),
            reply: evil.to_owned(),
            outcome: evil.to_owned(),
            prompt: vec![serde_json::json!({ "role": evil, "text": evil })],
            screenshot: "\" onload=alert(1)".to_owned(),
            marks: vec![(evil.to_owned(), [0.0; 4])],
            ..Step::default()
        };
        let line = serde_json::to_string(&step).expect("is JSON");
        let page = html(&read(&line).expect("reads"));
        assert!(!page.contains("<script") && !page.contains("onload=alert"), "{page}");
        assert!(page.contains("&lt;script&gt;"));
    }

    #[test]
    fn a_broken_line_is_named() {
        assert!(read("{}\n\nnope").expect_err("is broken").starts_with("line 3"));
        let steps = read("{\"number\":1}\n{\"ending\":\"done: 7\"}\n").expect("reads");
        assert_eq!((steps.len(), steps[0].ending.as_str()), (1, "done: 7"));
    }
}
