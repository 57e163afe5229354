//! Where text can be cut so that what is left can be read.

/// Ends of pieces of the text: at ends of sentences, and within a sentence longer than `longest`
/// bytes between words; where there are no spaces, before a character that begins a word of its
/// own. The last end is that of the text.
pub(crate) fn piece_ends(text: &str, longest: usize) -> PieceEnds<'_> {
    PieceEnds { text, longest, start: 0, at: 0 }
}

/// See [`piece_ends`].
#[derive(Clone, Debug)]
pub(crate) struct PieceEnds<'text> {
    text: &'text str,
    longest: usize,
    /// Where the piece begins that is looked at.
    start: usize,
    /// How far it has been looked at.
    at: usize,
}

impl Iterator for PieceEnds<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        // The last place seen where the piece could be cut.
        let mut between_words = None;
        let mut between_characters = None;
        let from = self.at;
        let mut characters = self.text.get(from..)?.char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            let end = from + at + character.len_utf8();
            let next = characters.peek().map(|&(_, next)| next);
            self.at = end;
            let closes = match character {
                '.' | '!' | '?' | '…' => next.is_some_and(char::is_whitespace),
                '。' | '！' | '？' | '।' | '؟' | '\n' => true,
                _ => false,
            };
            if closes && end - self.start > SHORTEST {
                self.start = end;
                return Some(end);
            }
            if character.is_whitespace() {
                between_words = Some(end);
            } else if character != '\u{200d}' && next.is_some_and(|next| !joins(next)) {
                between_characters = Some(end);
            }
            if end - self.start >= self.longest
                && end < self.text.len()
                && let Some(cut) = between_words.or(between_characters)
            {
                self.start = cut;
                return Some(cut);
            }
        }
        let end = self.text.len();
        (std::mem::replace(&mut self.start, end) < end).then_some(end)
    }
}

/// "Dr." and "1." are no sentences.
const SHORTEST: usize = 12;

/// Whether the character is drawn together with the one before it, or may be: a mark, a joiner,
/// part of an emoji or flag.
fn joins(character: char) -> bool {
    matches!(
        character,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}'
            | '\u{64b}'..='\u{65f}' | '\u{900}'..='\u{dff}' | '\u{e31}' | '\u{e34}'..='\u{e3a}'
            | '\u{e47}'..='\u{e4e}' | '\u{eb1}' | '\u{eb4}'..='\u{ebc}' | '\u{f00}'..='\u{109f}' | '\u{1160}'..='\u{11ff}' | '\u{1780}'..='\u{17ff}'
            | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{200c}'..='\u{200d}' | '\u{20d0}'..='\u{20ff}'
            | '\u{3099}'..='\u{309a}' | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}' | '\u{1f1e6}'..='\u{1f1ff}'
            | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, longest: usize, wanted: &[&str]) {
        let mut start = 0;
        let pieces: Vec<&str> = piece_ends(text, longest)
            .map(|end| {
                let piece = &text[start..end];
                start = end;
                piece
            })
            .collect();
        assert_eq!(pieces, wanted);
    }

    #[test]
    fn text_is_cut_at_sentences_words_and_characters_in_this_order() {
        check(
            "The mill runs at night. It stops at noon. So.",
            200,
            &["The mill runs at night.", " It stops at noon.", " So."],
        );
        check("one two three four", 8, &["one two ", "three ", "four"]);
        check("水は夜に流れる。昼は止まる。", 200, &["水は夜に流れる。", "昼は止まる。"]);
        check("水水水水水水", 6, &["水水", "水水", "水水"]);
        check("", 10, &[]);
    }

    #[test]
    fn what_is_drawn_as_one_is_never_cut() {
        check("👩\u{200d}👩\u{200d}👧", 4, &["👩\u{200d}👩\u{200d}👧"]);
        check("e\u{301}e\u{301}e\u{301}", 3, &["e\u{301}", "e\u{301}", "e\u{301}"]);
    }
}
