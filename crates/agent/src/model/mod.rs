//! Who decides: a model that is asked with messages and answers with an action.

mod scripted;

pub use scripted::Scripted;

use serde::Serialize;

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
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub text: String,
}

/// A model's answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reply {
    /// Its words.
    pub text: String,
    /// Tokens read and written, where the model tells.
    pub usage: Option<(u64, u64)>,
}

/// A model cannot answer.
#[derive(Debug, thiserror::Error)]
#[error("the model cannot answer: {0}")]
pub struct ModelError(pub String);

/// Anything that can be asked.
pub trait Model {
    /// Answers the messages.
    ///
    /// # Errors
    /// [`ModelError`] when there is no answer and will be none.
    fn answer(&mut self, messages: &[Message]) -> impl Future<Output = Result<Reply, ModelError>> + Send;
}
