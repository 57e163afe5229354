//! Where the agent may go: a list of allowed origins, enforced in code and not by asking a model.

use url::{Host, Url};

/// What may be visited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    rules: Vec<Rule>,
    /// Whether every http and https origin is allowed.
    any: bool,
}

/// One allowed place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    scheme: String,
    host: HostRule,
    /// None: the scheme's own port.
    port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum HostRule {
    Exactly(Host<String>),
    /// A domain and all below it.
    Below(String),
}

/// A rule that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{rule:?} is no origin: {reason}; write https://shop.example, https://*.shop.example or http://127.0.0.1:8000")]
pub struct InvalidOrigin {
    rule: String,
    reason: String,
}

impl Origins {
    /// Reads rules: an origin each, `https://shop.example`; with `*.` in front of the host also
    /// all domains below it. Nothing but http and https can be allowed.
    ///
    /// # Errors
    /// [`InvalidOrigin`] names the rule and what is wrong with it.
    pub fn new<S: AsRef<str>>(rules: impl IntoIterator<Item = S>) -> Result<Self, InvalidOrigin> {
        let rules = rules.into_iter().map(|rule| read_rule(rule.as_ref())).collect::<Result<_, _>>()?;
        Ok(Self { rules, any: false })
    }

    /// All of http and https, for who has decided so; still no files, no scripts, no pages of the
    /// browser's own.
    pub fn any() -> Self {
        Self { rules: Vec::new(), any: true }
    }

    /// Adds the origin of an address, for the page that the user has asked for.
    ///
    /// # Errors
    /// [`InvalidOrigin`] when the address has none.
    pub fn with_origin_of(mut self, address: &str) -> Result<Self, InvalidOrigin> {
        let invalid = |reason: &str| InvalidOrigin { rule: address.to_owned(), reason: reason.to_owned() };
        let url = Url::parse(address).map_err(|error| invalid(&error.to_string()))?;
        self.rules.push(rule_of(&url).ok_or_else(|| invalid("it is neither http nor https"))?);
        Ok(self)
    }

    /// Whether an address, as a browser reads it, lies in an allowed origin. Only `about:blank`
    /// and `about:srcdoc`, which hold nothing of their own, are always allowed.
    pub fn allows(&self, address: &str) -> bool {
        if matches!(address, "about:blank" | "about:srcdoc") {
            return true;
        }
        // The parser of the URL Standard folds what browsers fold: case, tabs, backslashes,
        // numeric forms of addresses, international names.
        let Ok(url) = Url::parse(address) else { return false };
        let Some(asked) = rule_of(&url) else { return false };
        // A name before an `@` is there to be taken for the host.
        if !url.username().is_empty() || url.password().is_some() {
            return false;
        }
        self.any || self.rules.iter().any(|rule| rule.covers(&asked))
    }
}

impl Rule {
    fn covers(&self, asked: &Self) -> bool {
        let host = match (&self.host, &asked.host) {
            (HostRule::Exactly(host), HostRule::Exactly(asked)) => host == asked,
            (HostRule::Below(domain), HostRule::Exactly(Host::Domain(asked))) => {
                asked == domain || asked.strip_suffix(domain).is_some_and(|above| above.ends_with('.'))
            }
            _ => false,
        };
        host && self.scheme == asked.scheme && self.port == asked.port
    }
}

/// The rule that allows the origin of an address; none where it has no origin of its own.
fn rule_of(url: &Url) -> Option<Rule> {
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let host = match url.host()? {
        // A dot at the end names the same host.
        Host::Domain(domain) => Host::Domain(domain.strip_suffix('.').unwrap_or(domain).to_owned()),
        Host::Ipv4(address) => Host::Ipv4(address),
        Host::Ipv6(address) => Host::Ipv6(address),
    };
    Some(Rule { scheme: url.scheme().to_owned(), host: HostRule::Exactly(host), port: url.port() })
}

fn read_rule(text: &str) -> Result<Rule, InvalidOrigin> {
    let invalid = |reason: &str| InvalidOrigin { rule: text.to_owned(), reason: reason.to_owned() };
    let (plain, below) = match text.split_once("://*.") {
        Some((scheme, rest)) => (format!("{scheme}://{rest}"), true),
        None => (text.to_owned(), false),
    };
    if plain.contains('*') {
        return Err(invalid("`*` can stand only for what is below a domain, `*.shop.example`"));
    }
    let url = Url::parse(&plain).map_err(|error| invalid(&error.to_string()))?;
    if !matches!(url.path(), "" | "/") || url.query().is_some() || url.fragment().is_some() {
        return Err(invalid("it has a path"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(invalid("it has a user name"));
    }
    let mut rule = rule_of(&url).ok_or_else(|| invalid("it is neither http nor https"))?;
    if below {
        rule.host = match rule.host {
            HostRule::Exactly(Host::Domain(domain)) if domain.contains('.') => HostRule::Below(domain),
            _ => return Err(invalid("only a domain of two parts or more can stand behind `*.`")),
        };
    }
    Ok(rule)
}

#[cfg(test)]
#[path = "origins_tests.rs"]
mod tests;
