//! What can go wrong: a limit was passed or a configuration is wrong. Broken HTML is neither.

/// Why a page could not be converted. The message says what to change.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The input has more bytes than [`Limits::input_bytes`](crate::parse::Limits).
    #[error(
        "the input has {actual} bytes, more than the limit of {limit}; raise the limit or convert a part of the page"
    )]
    InputTooLarge {
        /// Bytes of the input.
        actual: usize,
        /// The limit in force.
        limit: usize,
    },
    /// The page makes more nodes than [`Limits::nodes`](crate::parse::Limits), or far more than
    /// its bytes can stand for.
    #[error("the page makes more than {limit} nodes; raise the limit of nodes if the page is to be trusted")]
    TooManyNodes {
        /// The limit in force.
        limit: usize,
    },
    /// The input is not text that we read: an image, an archive, a PDF.
    #[error("the input is {kind}, not a web page; give a saved HTML or MHTML file")]
    NotAPage {
        /// What the input looks like, with its article: "a PNG image".
        kind: &'static str,
    },
    /// The input has no bytes, or only white space.
    #[error("the input is empty; give a saved HTML or MHTML file")]
    EmptyInput,
    /// The input is MHTML without an HTML part.
    #[error("the MHTML file has no HTML part; save the page again as a single file")]
    NoHtmlPart,
    /// A CSS selector could not be read.
    #[error("the selector {selector:?} cannot be read: {reason}")]
    InvalidSelector {
        /// The selector as given.
        selector: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A selector matched nothing and the caller had asked for an error in that case.
    #[error(
        "the selector {selector:?} matches no element of the page; check it, or leave out `strict` to get the whole page"
    )]
    NoMatch {
        /// The selector as given.
        selector: String,
    },
    /// A recipe could not be read.
    #[error("the recipe cannot be read: {reason}")]
    InvalidRecipe {
        /// What is wrong, with the place.
        reason: String,
    },
    /// A stage, representation or preset of that name does not exist.
    #[error("there is no {kind} named {name:?}; there are: {known}")]
    UnknownName {
        /// "stage", "representation", "preset".
        kind: &'static str,
        /// The name as given.
        name: String,
        /// The names that exist, joined by commas.
        known: String,
    },
    /// A delta cannot be applied to the text given.
    #[error("the delta cannot be applied: {reason}; take a whole snapshot instead")]
    InvalidDelta {
        /// What is wrong with it.
        reason: String,
    },
    /// A capture cannot be read.
    #[error("the capture cannot be read: {reason}; capture the page again")]
    InvalidCapture {
        /// What is wrong with it.
        reason: String,
    },
    /// The page's address could not be read as a URL.
    #[error("the address {url:?} is not a URL: {reason}; give it with its scheme, such as https://shop.example/")]
    InvalidUrl {
        /// The address as given.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// How much a diagnostic matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Level {
    /// Worth knowing; the result is as good as it gets.
    Info,
    /// The result leaves something out or had to guess.
    Warning,
}

/// Something the caller may want to know about a result that is still useful.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Diagnostic {
    /// How much it matters.
    pub level: Level,
    /// A sentence for a person.
    pub message: String,
    /// The element it is about, if it is about one.
    pub node: Option<crate::document::NodeId>,
}

impl Diagnostic {
    /// A warning about the page as a whole.
    pub fn warning(message: impl Into<String>) -> Self {
        Self { level: Level::Warning, message: message.into(), node: None }
    }

    /// A note about the page as a whole.
    pub fn info(message: impl Into<String>) -> Self {
        Self { level: Level::Info, message: message.into(), node: None }
    }

    /// The same, about one element.
    #[must_use]
    pub fn at(mut self, node: crate::document::NodeId) -> Self {
        self.node = Some(node);
        self
    }
}
