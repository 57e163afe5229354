//! From an action to what it does in the browser.

use super::Run;
use crate::Error;
use crate::act::{Hands, SETTLE};
use crate::action::Action;
use crate::model::Model;
use crate::perceive::{Sight, View, number};
use crate::secrets::Secrets;

impl<M: Model> Run<'_, M> {
    /// Does what the action says. The outer error is the end of the run, the inner one is for the
    /// model.
    pub(super) async fn act(&self, action: &Action, sight: &Sight) -> Result<Result<Acted, String>, Error> {
        let hands = Hands { tab: self.tab };
        let target = match action.reference().map(|reference| sight.target(reference)) {
            Some(Err(reason)) => return Ok(Err(reason)),
            Some(Ok(target)) => Some(target),
            None => None,
        };
        let words = match (action, &target) {
            (Action::Type { reference, text, submit }, Some(target)) if Secrets::is_named_in(text) => {
                if !sight.is_in_own_document(reference) {
                    return Ok(Err("secrets are filled in in the page itself, not in its frames".to_owned()));
                }
                match self.settings.secrets.fill(text, &sight.url) {
                    Ok(filled) => hands.fill_secret(target, &filled, *submit).await,
                    Err(reason) => Err(reason),
                }
            }
            (Action::Navigate { url }, _) => self.navigate(url, sight).await,
            (Action::Expand { refs }, _) => {
                let Some(ids) = ids(refs) else {
                    return Ok(Err(format!("{refs:?} are no ids; give them as the snapshot does, such as e41-e77")));
                };
                let found = self.view.expand(sight, ids)?;
                return Ok(Ok(Acted { words: format!("{refs} are shown here, this once"), found: Some(found) }));
            }
            (Action::Read { query }, _) => {
                let view = View { representation: "markdown".to_owned(), task: query.clone(), ..self.view.clone() };
                let found = view.write(sight.page.clone(), &sight.url)?.text;
                let words = format!("what the page says about {query:?} is shown here, this once");
                return Ok(Ok(Acted { words, found: Some(found) }));
            }
            (Action::Upload { file, .. }, Some(target)) => match self.settings.upload(file) {
                Ok(path) => hands.upload(target, path).await,
                Err(reason) => Err(reason),
            },
            (Action::Plan { .. }, _) => Ok("the plan is written down".to_owned()),
            _ => hands.act(action, target.as_ref()).await,
        };
        Ok(words.map(|words| Acted { words, found: None }))
    }

    async fn navigate(&self, url: &str, sight: &Sight) -> Result<String, String> {
        let url = url::Url::parse(&sight.url)
            .and_then(|base| base.join(url))
            .map(String::from)
            .map_err(|error| format!("{error}; give an address such as https://shop.example/"))?;
        // An address is told to whoever answers it, and to those that it leads on to.
        if Secrets::is_named_in(&url) || url.contains("%3Csecret:") || self.settings.secrets.are_in(&url) {
            return Err("a secret is no part of an address; it can be typed into a field of its own site".to_owned());
        }
        self.tab.navigate(&url, SETTLE).await.map_err(|error| error.to_string())?;
        Ok(format!("opened {url}"))
    }
}

/// What an action came to.
pub(super) struct Acted {
    pub(super) words: String,
    /// Page text that it has brought to light.
    pub(super) found: Option<String>,
}

/// A stretch of ids, `e41-e77`, or one id.
fn ids(text: &str) -> Option<std::ops::RangeInclusive<u32>> {
    let (first, last) = text.split_once(['-', '–']).unwrap_or((text, text));
    Some(number(first)?..=number(last)?).filter(|ids| ids.start() <= ids.end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_snapshots_write_them() {
        assert_eq!(ids("e41–e77"), Some(41..=77));
        assert_eq!(ids("[7]"), Some(7..=7));
        assert_eq!(ids("e9-e3"), None);
        assert_eq!(ids("all"), None);
    }
}
