//! Content that only its own end tag ends: the RCDATA, RAWTEXT and script data states (13.2.5.2 to
//! .4, .9 to .31).

use memchr::memchr2;

use super::characters::Place;
use super::{Content, Sink, Tokenizer, is_white_space};

/// How far a script has got into what once hid scripts from browsers that did not know them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escape {
    No,
    /// Behind `<!--`.
    Once,
    /// Behind `<script` in there: the next end tag only leads back.
    Twice,
}

impl<S: Sink> Tokenizer<'_, S> {
    pub(super) fn rcdata(&mut self) {
        let end = self.end_of_raw_text();
        self.raw_text(end, Place::Text);
    }

    pub(super) fn rawtext(&mut self) {
        let end = self.end_of_raw_text();
        self.raw_text(end, Place::Literal);
    }

    pub(super) fn script_data(&mut self) {
        let end = self.end_of_script();
        self.raw_text(end, Place::Literal);
    }

    /// Emits the text up to its end tag, and that tag.
    fn raw_text(&mut self, end_tag: Option<usize>, place: Place) {
        let end = end_tag.unwrap_or(self.bytes.len());
        self.emit_text(self.at..end, place);
        self.at = end;
        if end_tag.is_some() {
            self.content = Content::Data;
            self.end_tag(end + 2);
        }
    }

    fn end_of_raw_text(&self) -> Option<usize> {
        let mut from = self.at;
        while let Some(place) = self.find(b'<', from) {
            if self.is_own_end_tag(place) {
                return Some(place);
            }
            from = place + 1;
        }
        None
    }

    fn end_of_script(&self) -> Option<usize> {
        let mut escape = Escape::No;
        let mut from = self.at;
        loop {
            let place = match escape {
                Escape::No => self.find(b'<', from)?,
                _ => from + memchr2(b'<', b'>', self.rest(from))?,
            };
            from = place + 1;
            if self.byte(place) == Some(b'>') {
                // The dashes of `<!--` count, so that `<!-->` is over at once.
                if self.bytes.get(..place).is_some_and(|before| before.ends_with(b"--")) {
                    escape = Escape::No;
                }
                continue;
            }
            match escape {
                Escape::No | Escape::Once if self.is_own_end_tag(place) => return Some(place),
                Escape::No if self.rest(from).starts_with(b"!--") => escape = Escape::Once,
                Escape::Once if self.is_word(from, "script") => escape = Escape::Twice,
                Escape::Twice if self.byte(from) == Some(b'/') && self.is_word(from + 1, "script") => {
                    escape = Escape::Once;
                }
                _ => {}
            }
        }
    }

    /// Whether the `<` there begins the end tag that the content waits for.
    fn is_own_end_tag(&self, place: usize) -> bool {
        self.byte(place + 1) == Some(b'/')
            && !self.last_start_tag.is_empty()
            && self.is_word(place + 2, self.last_start_tag)
    }

    /// Whether there stands this word in any case, and something that ends a tag's name.
    fn is_word(&self, at: usize, word: &str) -> bool {
        self.starts_with_ignoring_case(at, word)
            && self.byte(at + word.len()).is_some_and(|byte| is_white_space(byte) || byte == b'/' || byte == b'>')
    }
}
