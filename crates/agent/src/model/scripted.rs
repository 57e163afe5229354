//! A model without a mind: replies from a file, for demonstrations and tests.
//!
//! Each line is a reply. `{{button "Add"}}` in it stands for the id of the element that the last
//! message shows under this role and name, so that a script says what a person would say and does
//! not depend on numbers.

use std::collections::VecDeque;

use super::{Failure, Message, Model, ModelError, Reply};

/// Replies that are given one after the other.
#[derive(Clone, Debug, Default)]
pub struct Scripted {
    replies: VecDeque<String>,
}

impl Scripted {
    /// Reads a script: a reply a line, empty lines and those that begin with `#` passed over.
    pub fn new(script: &str) -> Self {
        let lines = script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        Self { replies: lines.map(str::to_owned).collect() }
    }
}

impl Model for Scripted {
    async fn answer(&mut self, messages: &[Message]) -> Result<Reply, ModelError> {
        let reply = self
            .replies
            .pop_front()
            .ok_or_else(|| ModelError::new(Failure::Refused, "the script has no more replies"))?;
        let seen = messages.last().map(|message| message.text.as_str()).unwrap_or_default();
        Ok(Reply { text: fill(&reply, seen)?, ..Reply::default() })
    }
}

/// Puts ids in the place of what they stand for.
fn fill(reply: &str, seen: &str) -> Result<String, ModelError> {
    let mut filled = String::with_capacity(reply.len());
    let mut rest = reply;
    while let Some((before, behind)) = rest.split_once("{{") {
        let Some((wanted, after)) = behind.split_once("}}") else { break };
        let id = find(wanted.trim(), seen).ok_or_else(|| {
            let reason = format!("the script wants {wanted}, which the snapshot does not show");
            ModelError::new(Failure::Refused, reason)
        })?;
        filled.push_str(before);
        filled.push_str(id);
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

/// The id of the first line that shows `role "name"`, as the accessibility tree writes it.
fn find<'text>(wanted: &str, seen: &'text str) -> Option<&'text str> {
    seen.lines().find_map(|line| {
        let shown = line.trim_start_matches([' ', '-', '\'']);
        let behind = shown.strip_prefix(wanted)?;
        // Another name that only begins alike is another element.
        if !behind.is_empty() && !behind.starts_with([' ', ':']) {
            return None;
        }
        let (_, id) = behind.split_once("[ref=")?;
        id.split_once(']').map(|(id, _)| id)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_by_role_and_name() {
        let seen =
            "- list:\n  - link \"Add to list\" [ref=e2]\n  - link \"Add\" [checked] [ref=e3]:\n- textbox [ref=e9]";
        assert_eq!(fill("{\"ref\":\"{{link \"Add\"}}\"} {{textbox}}", seen).expect("is there"), "{\"ref\":\"e3\"} e9");
        let error = fill("{{button \"Pay\"}}", seen).expect_err("is not there").to_string();
        assert!(error.contains("button \"Pay\""), "{error}");
    }
}
