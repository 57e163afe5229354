//! A model by what the user calls it.

use std::path::Path;

use super::{Failure, Message, Model, ModelError, Patience, Program, Provider, Reply, Scripted};

/// A model of any kind.
#[derive(Debug)]
#[non_exhaustive]
pub enum AnyModel {
    /// Behind a service.
    Provider(Box<Provider>),
    /// A program.
    Program(Box<Program>),
    /// A file of replies.
    Scripted(Scripted),
}

/// How a model is reached.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ModelOptions {
    /// An address instead of the provider's own.
    pub endpoint: Option<String>,
    /// The key, where it does not stand in the provider's environment variable.
    pub key: Option<String>,
    /// How long it is waited for.
    pub patience: Patience,
    /// Environment variables that a program does not get: it is a model as any other, and must not
    /// see secrets.
    pub withheld: Vec<String>,
}

impl AnyModel {
    /// Finds a model by its name: `script:FILE`, `exec:PROGRAM`, or a provider's model such as
    /// `gpt-4o`, `claude-sonnet-4-5` or `ollama::qwen3`.
    ///
    /// # Errors
    /// [`ModelError`] says why there is none.
    pub fn open(name: &str, options: &ModelOptions) -> Result<Self, ModelError> {
        if let Some(file) = name.strip_prefix("script:") {
            let script = std::fs::read_to_string(Path::new(file))
                .map_err(|error| ModelError::new(Failure::Refused, format!("{file}: {error}")))?;
            return Ok(Self::Scripted(Scripted::new(&script)));
        }
        if let Some(program) = name.strip_prefix("exec:") {
            return Ok(Self::Program(Box::new(Program::start(program, options.patience, &options.withheld)?)));
        }
        let provider = Provider::new(name, options.endpoint.as_deref(), options.key.clone(), options.patience)?;
        Ok(Self::Provider(Box::new(provider)))
    }
}

impl Model for AnyModel {
    async fn answer(&mut self, messages: &[Message]) -> Result<Reply, ModelError> {
        match self {
            Self::Provider(model) => model.answer(messages).await,
            Self::Program(model) => model.answer(messages).await,
            Self::Scripted(model) => model.answer(messages).await,
        }
    }

    async fn summarise(&mut self, messages: &[Message]) -> Result<Reply, ModelError> {
        match self {
            Self::Provider(model) => model.summarise(messages).await,
            Self::Program(model) => model.summarise(messages).await,
            Self::Scripted(model) => model.summarise(messages).await,
        }
    }

    fn takes_tools(&self) -> bool {
        match self {
            Self::Provider(model) => model.takes_tools(),
            Self::Program(model) => model.takes_tools(),
            Self::Scripted(model) => model.takes_tools(),
        }
    }
}
