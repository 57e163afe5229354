//! Comments and what becomes one: the states from bogus comment to comment end bang (13.2.5.41 to
//! .52), and markup declarations.

use super::characters::{Place, decode};
use super::{Content, Sink, Tokenizer};

impl<S: Sink> Tokenizer<'_, S> {
    /// Reads what stands behind `<!`.
    pub(super) fn declaration(&mut self, at: usize) {
        if self.rest(at).starts_with(b"--") {
            self.comment(at + 2);
        } else if self.starts_with_ignoring_case(at, "doctype") {
            self.doctype(at + "doctype".len());
        } else if self.rest(at).starts_with(b"[CDATA[") && self.sink.is_in_foreign_content() {
            self.at = at + "[CDATA[".len();
            self.content = Content::CdataSection;
        } else {
            self.bogus_comment(at);
        }
    }

    /// Reads a comment from behind its `<!--` on. The states of the standard come to this: it ends
    /// at the first `>` behind `--` or `--!`, and the dashes that open it do not count, except
    /// that `<!-->` and `<!--->` end at once.
    fn comment(&mut self, start: usize) {
        let mut from = start;
        while let Some(end) = self.find(b'>', from) {
            let data = self.bytes.get(start..end).unwrap_or_default();
            let ending = match data {
                b"" | b"-" => Some(data.len()),
                _ if data.ends_with(b"--") => Some(2),
                _ if data.ends_with(b"--!") => Some(3),
                _ => None,
            };
            if let Some(ending) = ending {
                self.emit_comment(start, end - ending, end + 1);
                return;
            }
            from = end + 1;
        }
        // The end of the source ends a comment, and what began to end it is not part of it.
        let end = self.bytes.len();
        let data = self.rest(start);
        let ending = ["--!", "--", "-"].iter().find(|ending| data.ends_with(ending.as_bytes()));
        self.emit_comment(start, end - ending.map_or(0, |ending| ending.len()), end);
    }

    /// Reads what is no proper markup, up to the next `>`, as a comment.
    pub(super) fn bogus_comment(&mut self, start: usize) {
        match self.find(b'>', start) {
            Some(end) => self.emit_comment(start, end, end + 1),
            None => self.emit_comment(start, self.bytes.len(), self.bytes.len()),
        }
    }

    /// Reads what stands behind `</` when it is no name. `</>` is nothing at all.
    pub(super) fn bogus_end_tag(&mut self, at: usize) {
        if self.byte(at) == Some(b'>') {
            self.at = at + 1;
        } else {
            self.bogus_comment(at);
        }
    }

    fn emit_comment(&mut self, start: usize, end: usize, behind: usize) {
        let written = self.text.get(start..end).unwrap_or_default();
        self.scratch.clear();
        let is_decoded = decode(written, Place::Literal, &mut self.scratch);
        self.sink.comment(if is_decoded { &self.scratch } else { written });
        self.at = behind;
    }
}
