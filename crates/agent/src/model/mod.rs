//! Who decides: a model that is asked with messages and answers with an action.

mod any;
mod failure;
mod program;
mod provider;
mod scripted;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use any::{AnyModel, ModelOptions};
pub use failure::{Failure, ModelError, Patience};
pub use program::Program;
pub use provider::Provider;
pub use scripted::Scripted;

/// Anything that can be asked.
pub trait Model {
    /// Answers the messages.
    ///
    /// # Errors
    /// [`ModelError`] when there is no answer; its [`Failure`] says whether asking otherwise could
    /// help.
    fn answer(&mut self, messages: &[Message]) -> impl Future<Output = Result<Reply, ModelError>> + Send;

    /// Answers with words alone, where no action is wanted: a summary.
    ///
    /// # Errors
    /// As [`answer`](Self::answer).
    fn summarise(&mut self, messages: &[Message]) -> impl Future<Output = Result<Reply, ModelError>> + Send {
        self.answer(messages)
    }

    /// Whether the actions reach the model as tools, so that the rules need not list them.
    fn takes_tools(&self) -> bool {
        false
    }
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The rules of the conversation.
    System,
    /// The agent's harness, with what it sees.
    User,
    /// The model.
    Assistant,
    /// What came of a call of the model.
    Tool,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub text: String,
    /// The model's call; for [`Role::Tool`] the call that is answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<Call>,
    /// A picture that goes with the text, JPEG in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    /// Whether everything up to the end of this message will be sent again as it is, so that a
    /// provider does well to keep it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cached: bool,
}

impl Message {
    /// A message of words alone.
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self { role, text: text.into(), call: None, picture: None, cached: false }
    }
}

/// A call of one of the actions, which the model was given as tools.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Call {
    /// The provider's name for this call.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The action.
    pub name: String,
    /// Its parameters.
    pub arguments: Value,
    /// What some providers want back with the call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub signatures: Vec<String>,
}

/// A model's answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Reply {
    /// Its words.
    pub text: String,
    /// Its call, when it made one; the first of several.
    pub call: Option<Call>,
    /// Tokens, where the model tells.
    pub usage: Option<Usage>,
    /// How often it was asked before it answered.
    pub retries: usize,
}

/// What an answer cost, in the provider's own tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Tokens read, those from the cache among them.
    pub input: u64,
    /// Of these, tokens read from the provider's cache.
    pub cached: u64,
    /// Tokens written.
    pub output: u64,
}

impl Reply {
    /// The action as JSON: the call with its name beside its parameters, or else the words.
    pub fn action(&self) -> String {
        let Some(call) = &self.call else { return self.text.clone() };
        let mut object = Map::new();
        object.insert("action".to_owned(), call.name.as_str().into());
        match &call.arguments {
            Value::Object(arguments) => {
                object.extend(arguments.iter().map(|(name, value)| (name.clone(), value.clone())));
                // A parameter of this name does not make it another action.
                object.insert("action".to_owned(), call.name.as_str().into());
            }
            Value::Null => {}
            other => {
                object.insert("arguments".to_owned(), other.clone());
            }
        }
        Value::Object(object).to_string()
    }
}
