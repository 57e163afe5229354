//! Models behind a service: any provider that the client library knows, or an endpoint of one's
//! own that speaks the same protocol.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use genai::adapter::AdapterKind;
use genai::chat::{
    Binary, CacheControl, ChatMessage, ChatOptions, ChatRequest, ChatResponse, ContentPart, MessageContent,
    MessageOptions, StopReason, Tool as ProviderTool, ToolCall, ToolResponse,
};
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, ModelIden};
use url::{Host, Url};

use super::failure::{advice, of_status};
use super::{Call, Failure, Message, Model, ModelError, Patience, Reply, Role, Usage};
use crate::action::TOOLS;
use crate::secrets::printable;

/// No action needs more; what is longer is a fault, and would be sent back with every step.
const LONGEST_REPLY: usize = 256 << 10;

/// Tokens that the model may write at a time, its thoughts among them.
const LONGEST_OUTPUT: u32 = 8192;

/// A model of a provider.
#[derive(Debug)]
pub struct Provider {
    client: Client,
    model: ModelIden,
    patience: Patience,
    /// The key, by which it is known when a service repeats it.
    key: String,
}

impl Provider {
    /// A model by its name, with the provider before it where the name alone does not say
    /// (`openai::my-model`). The key comes from `key`, or from the environment variable of the
    /// provider; an endpoint on this machine needs none.
    ///
    /// # Errors
    /// [`ModelError`] when the provider is unknown, the endpoint is no address to send a key to,
    /// or there is no key.
    pub fn new(
        name: &str,
        endpoint: Option<&str>,
        key: Option<String>,
        patience: Patience,
    ) -> Result<Self, ModelError> {
        let refused = |reason: String| ModelError::new(Failure::Refused, reason);
        let (kind, name) = kind_of(name, endpoint.is_some())?;
        let endpoint = endpoint.map(read_endpoint).transpose()?;
        let variable = kind.default_key_env_name();
        let local = endpoint.as_ref().map_or(variable.is_none(), is_local);
        let key = key.or_else(|| std::env::var(variable?).ok()).filter(|key| !key.trim().is_empty());
        let key = match (key, variable) {
            (Some(key), _) => key.trim().to_owned(),
            // The library sends a key in any case.
            (None, _) if local => "none".to_owned(),
            (None, variable) => {
                let variable = variable.unwrap_or("that --key-env names");
                return Err(refused(format!("there is no key for {kind}; set the environment variable {variable}")));
            }
        };
        let mut http = reqwest::Client::builder()
            .connect_timeout(patience.silence.min(Duration::from_secs(15)))
            .read_timeout(patience.silence)
            .timeout(patience.attempt)
            // The HTTP library takes only some of the headers that carry keys off a redirect.
            .redirect(reqwest::redirect::Policy::none());
        if local {
            http = http.no_proxy();
        }
        let http = http.build().map_err(|error| refused(format!("there is no way to the network: {error}")))?;
        let auth = AuthData::from_single(&*key);
        let builder = Client::builder().with_reqwest(http);
        let builder = match endpoint {
            Some(url) => builder.append_provider_config(kind, (Endpoint::from_owned(url.as_str()), auth)),
            None => builder.append_provider_config(kind, auth),
        };
        let client = builder.build().map_err(|error| refused(error.to_string()))?;
        Ok(Self { client, model: ModelIden::new(kind, name), patience, key })
    }

    /// Asks until there is an answer or patience ends.
    async fn ask(&self, request: ChatRequest) -> Result<Reply, ModelError> {
        let begun = Instant::now();
        let options = ChatOptions::default().with_max_tokens(LONGEST_OUTPUT);
        let mut retry = 0;
        loop {
            let left = self.patience.total.saturating_sub(begun.elapsed());
            let asked = self.client.exec_chat(self.model.clone(), request.clone(), Some(&options));
            let failed = match tokio::time::timeout(left.min(self.patience.attempt), asked).await {
                Ok(Ok(response)) => return read_response(response, retry),
                Ok(Err(error)) => self.explain(&error),
                Err(_) => Failed::passing("it did not answer in time"),
            };
            let Some(pause) = failed.passes.map(|asked_for| self.patience.pause_before(retry, asked_for)) else {
                return Err(ModelError::new(failed.failure, failed.reason));
            };
            let late = begun.elapsed() + pause >= self.patience.total;
            if retry == self.patience.retries || late {
                let asked = retry + 1;
                let mut reason = format!("{}; asked {asked} times in {} s", failed.reason, begun.elapsed().as_secs());
                if late && let Some(Some(wanted)) = failed.passes {
                    let _ = write!(reason, "; it wants to be left alone for {} s", wanted.as_secs());
                }
                return Err(ModelError::new(failed.failure, reason));
            }
            tokio::time::sleep(pause).await;
            retry += 1;
        }
    }

    /// What an error of the library comes to. Its own words hold the whole request.
    fn explain(&self, error: &genai::Error) -> Failed {
        use genai::webc::Error as Web;
        let web = match error {
            genai::Error::WebModelCall { webc_error, .. } | genai::Error::WebAdapterCall { webc_error, .. } => {
                webc_error
            }
            genai::Error::ChatResponseGeneration { cause, .. } => {
                let reason = format!("its answer does not follow the protocol: {}", self.without_key(cause));
                return Failed { failure: Failure::Unreadable, reason, passes: None };
            }
            other => {
                let reason = self.without_key(&other.to_string());
                return Failed { failure: Failure::Refused, reason, passes: None };
            }
        };
        match web {
            Web::ResponseFailedStatus { status, body, headers } => {
                let code = status.as_u16();
                let said = self.without_key(&said_in(body));
                let colon = if said.is_empty() { "" } else { ": " };
                let reason = format!("{status}{colon}{said}{}", advice(code));
                match of_status(code, body) {
                    Some(failure) => Failed { failure, reason, passes: None },
                    None => Failed { failure: Failure::Unavailable, reason, passes: Some(retry_after(headers)) },
                }
            }
            Web::ResponseFailedInvalidJson { cause, .. } => {
                Failed::passing(format!("its answer is broken JSON: {}", self.without_key(cause)))
            }
            Web::ResponseFailedNotJson { content_type, .. } => {
                Failed::passing(format!("its answer is {content_type:?}, not JSON; check --endpoint"))
            }
            Web::Reqwest(error) => {
                // The outer error only names the address; what happened is said inside.
                let mut words = vec![error.to_string()];
                let mut cause = std::error::Error::source(error);
                while let Some(inner) = cause {
                    words.push(inner.to_string());
                    cause = inner.source();
                }
                words.dedup();
                Failed::passing(self.without_key(&words.join(": ")))
            }
            Web::JsonValueExt(error) => Failed::passing(error.to_string()),
        }
    }

    /// Some services repeat the key, or its ends.
    fn without_key(&self, text: &str) -> String {
        let text = printable(text, usize::MAX);
        if self.key.len() < 8 { text } else { text.replace(&self.key, "<key>") }
    }
}

impl Model for Provider {
    async fn answer(&mut self, messages: &[Message]) -> Result<Reply, ModelError> {
        let tools = TOOLS
            .iter()
            .map(|tool| ProviderTool::new(tool.name).with_description(tool.description).with_schema(tool.schema()));
        self.ask(request(messages).with_tools(tools.collect::<Vec<_>>())).await
    }

    async fn summarise(&mut self, messages: &[Message]) -> Result<Reply, ModelError> {
        self.ask(request(messages)).await
    }

    fn takes_tools(&self) -> bool {
        true
    }
}

/// An attempt that failed.
struct Failed {
    failure: Failure,
    reason: String,
    /// Whether the failure may pass by itself, and the pause that the service asks for.
    passes: Option<Option<Duration>>,
}

impl Failed {
    fn passing(reason: impl Into<String>) -> Self {
        Self { failure: Failure::Unavailable, reason: reason.into(), passes: Some(None) }
    }
}

/// The provider and the bare name. A name that the library knows nothing of stands for a model
/// behind the given endpoint, which then speaks the protocol of OpenAI's chat, as most do.
fn kind_of(name: &str, has_endpoint: bool) -> Result<(AdapterKind, String), ModelError> {
    let refused = |reason: String| ModelError::new(Failure::Refused, reason);
    let kind = AdapterKind::from_model(name).map_err(|error| refused(error.to_string()))?;
    if let Some((provider, bare)) = name.split_once("::") {
        return match AdapterKind::from_lower_str(provider) {
            Some(kind) if !bare.is_empty() => Ok((kind, bare.to_owned())),
            _ => Err(refused(format!("{name:?} names no provider; write openai::NAME, anthropic::NAME or the like"))),
        };
    }
    match kind {
        AdapterKind::Ollama | AdapterKind::OpenAIResp if has_endpoint => Ok((AdapterKind::OpenAI, name.to_owned())),
        AdapterKind::Ollama => Err(refused(format!(
            "{name:?} does not say who provides it; write ollama::{name}, openai::{name} or the like, or give --endpoint"
        ))),
        kind => Ok((kind, name.to_owned())),
    }
}

/// An endpoint to which a key may go.
fn read_endpoint(text: &str) -> Result<Url, ModelError> {
    let refused = |reason: &str| {
        ModelError::new(Failure::Refused, format!("{text:?} is no endpoint: {reason}; write https://host.example/v1/"))
    };
    let mut url = Url::parse(text).map_err(|error| refused(&error.to_string()))?;
    match url.scheme() {
        "https" => {}
        "http" if is_local(&url) => {}
        "http" => return Err(refused("keys go over https to other machines")),
        _ => return Err(refused("it is neither http nor https")),
    }
    // Paths are joined to it, and without the slash its last part would be lost.
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    Ok(url)
}

/// Whether an address leads to this machine.
fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

/// The messages in the library's form.
fn request(messages: &[Message]) -> ChatRequest {
    ChatRequest::new(messages.iter().map(message).collect())
}

fn message(message: &Message) -> ChatMessage {
    let mut parts = Vec::new();
    if let (Role::Tool, Some(call)) = (message.role, &message.call) {
        parts.push(ContentPart::ToolResponse(ToolResponse::from_tool_call(&tool_call(call), message.text.as_str())));
    } else if !message.text.is_empty() {
        parts.push(ContentPart::from_text(message.text.as_str()));
    }
    if let Some(picture) = &message.picture {
        parts.push(ContentPart::Binary(Binary::from_base64("image/jpeg", picture.as_str(), None)));
    }
    if let (Role::Assistant, Some(call)) = (message.role, &message.call) {
        parts.push(ContentPart::ToolCall(tool_call(call)));
    }
    let content = MessageContent::from_parts(parts);
    let built = match message.role {
        Role::System => ChatMessage::system(content),
        Role::User => ChatMessage::user(content),
        Role::Assistant => ChatMessage::assistant(content),
        Role::Tool => ChatMessage::tool(content),
    };
    if message.cached { built.with_options(MessageOptions::from(CacheControl::Ephemeral)) } else { built }
}

fn tool_call(call: &Call) -> ToolCall {
    ToolCall {
        call_id: call.id.clone(),
        fn_name: call.name.clone(),
        fn_arguments: call.arguments.clone(),
        thought_signatures: (!call.signatures.is_empty()).then(|| call.signatures.clone()),
    }
}

/// The answer in our form.
fn read_response(response: ChatResponse, retries: usize) -> Result<Reply, ModelError> {
    let unreadable = |reason: String| Err(ModelError::new(Failure::Unreadable, reason));
    let count = |tokens: Option<i32>| u64::try_from(tokens.unwrap_or_default()).unwrap_or_default();
    let cached = response.usage.prompt_tokens_details.as_ref().and_then(|details| details.cached_tokens);
    let usage = Usage {
        input: count(response.usage.prompt_tokens),
        cached: count(cached),
        output: count(response.usage.completion_tokens),
    };
    let text = response.texts().join("\n").trim().to_owned();
    let call = response.tool_calls().into_iter().next().map(|call| Call {
        id: call.call_id.clone(),
        name: call.fn_name.clone(),
        arguments: call.fn_arguments.clone(),
        signatures: call.thought_signatures.clone().unwrap_or_default(),
    });
    let length = text.len() + call.as_ref().map_or(0, |call| call.name.len() + call.arguments.to_string().len());
    if length > LONGEST_REPLY {
        return unreadable(format!("the reply has {length} bytes; at most {LONGEST_REPLY} are read"));
    }
    if text.is_empty() && call.is_none() {
        return unreadable(match response.stop_reason {
            Some(StopReason::MaxTokens(_)) => format!("the reply was cut off at {LONGEST_OUTPUT} tokens"),
            Some(StopReason::ContentFilter(_)) => "the provider's filter took the reply away".to_owned(),
            _ => "the reply is empty".to_owned(),
        });
    }
    Ok(Reply { text, call, usage: Some(usage).filter(|usage| *usage != Usage::default()), retries })
}

/// What an error's body says: its message where it has one, or its beginning.
fn said_in(body: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
    let message = ["/error/message", "/message", "/error", "/detail"];
    let message = message.iter().find_map(|place| value.pointer(place)?.as_str());
    printable(message.unwrap_or(body), 300)
}

/// The pause that a service asks for (RFC 9110, 10.2.3), in seconds or milliseconds; dates are not
/// read.
fn retry_after(headers: &reqwest::header::HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let seconds = number("retry-after-ms").map(|milliseconds| milliseconds / 1e3).or_else(|| number("retry-after"))?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_who_provides_a_model() {
        let kind = |name: &str, endpoint: bool| kind_of(name, endpoint).map_err(|error| error.reason);
        assert_eq!(kind("gpt-4o", false), Ok((AdapterKind::OpenAI, "gpt-4o".to_owned())));
        assert_eq!(kind("claude-any", true), Ok((AdapterKind::Anthropic, "claude-any".to_owned())));
        assert_eq!(kind("my-own", true), Ok((AdapterKind::OpenAI, "my-own".to_owned())));
        assert_eq!(kind("ollama::my-own", false), Ok((AdapterKind::Ollama, "my-own".to_owned())));
        assert!(kind("my-own", false).expect_err("is not known").contains("--endpoint"));
        assert!(kind("nobody::x", true).is_err() && kind("openai::", true).is_err());
    }

    #[test]
    fn keys_go_over_safe_ways_only() {
        let read = |text: &str| read_endpoint(text).map(String::from).map_err(|error| error.reason);
        assert_eq!(read("https://models.example/v1").as_deref(), Ok("https://models.example/v1/"));
        assert_eq!(read("http://127.0.0.1:8000").as_deref(), Ok("http://127.0.0.1:8000/"));
        for wrong in
            ["http://models.example/v1/", "ftp://127.0.0.1/", "models.example", "http://127.0.0.1.evil.example/"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        let missing =
            Provider::new("openai::x", Some("https://models.example/"), Some(" ".to_owned()), Patience::default());
        // The variable may be set where the test runs; then there is a key.
        if std::env::var("OPENAI_API_KEY").is_err() {
            assert!(missing.expect_err("has no key").reason.contains("OPENAI_API_KEY"));
        }
    }
}
