//! Sentences and words of any script.

use std::hash::Hasher;
use std::ops::Range;

use rustc_hash::FxHasher;
use unicode_segmentation::UnicodeSegmentation;

/// Where the sentences of a text are: ranges of bytes that cover it without gaps, each with the
/// white space behind it. Sentences that are nothing but white space belong to their neighbour.
///
/// The borders are those of Unicode Standard Annex #29, which ends a sentence at the terminators
/// of every script with or without white space behind them, and at line breaks. It is tailored
/// in two ways: an abbreviation, an initial or an ordinal number does not end a sentence ("Dr.
/// Vos", "am 3. Mai"), and a full stop after a whole word does, also when what follows begins
/// with a small letter or a number.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut sentences: Vec<Range<usize>> = Vec::new();
    // Whether the next piece goes on with the last sentence.
    let mut goes_on = false;
    let mut add = |piece: Range<usize>| {
        let content = text.get(piece.clone()).unwrap_or("");
        let blank = content.trim().is_empty();
        match sentences.last_mut() {
            Some(last) if goes_on || blank => last.end = piece.end,
            Some(last) if text.get(last.clone()).unwrap_or("").trim().is_empty() => last.end = piece.end,
            _ => sentences.push(piece),
        }
        if !blank {
            goes_on =
                content.trim_end_matches([' ', '\t', '\u{a0}']).ends_with('.') && is_abbreviated(content.trim_end());
        }
    };
    let mut start = 0;
    for end in sentence_ends(text) {
        let piece = text.get(start..end).unwrap_or("");
        let mut from = 0;
        for stop in full_stops_inside(piece) {
            add(start + from..start + stop);
            from = stop;
        }
        add(start + from..end);
        start = end;
    }
    sentences
}

/// Where sentences end by Unicode Standard Annex #29.
///
/// Behind a terminator its rules look ahead at each blank and each closing sign, which would take
/// time that grows with the square of a long run. To all of them a run is as good as one, so they
/// are asked about a text with one.
fn sentence_ends(text: &str) -> Vec<usize> {
    let mut squeezed = String::with_capacity(text.len());
    // Behind each run: where in the squeezed text, and where in the text.
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let mut before = None;
    for (at, character) in text.char_indices() {
        let kind = repeatable(character);
        if kind.is_none() || kind != before {
            squeezed.push(character);
        } else {
            let place = (squeezed.len(), at + character.len_utf8());
            match runs.last_mut() {
                Some(last) if last.0 == place.0 => *last = place,
                _ => runs.push(place),
            }
        }
        before = kind;
    }
    let mut ends = Vec::new();
    let (mut start, mut run) = (0, 0);
    while start < squeezed.len() {
        start = sentence_end(&squeezed, start);
        run += runs[run..].iter().take_while(|&&(place, _)| place <= start).count();
        let (place, real) = run.checked_sub(1).map_or((0, 0), |last| runs[last]);
        ends.push(real + start - place);
    }
    ends
}

/// Of blanks and closing signs, of which the annex takes any number for one, the kind.
fn repeatable(character: char) -> Option<u8> {
    match character {
        '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => None,
        '(' | ')' | '[' | ']' | '{' | '}' | '"' | '\'' => Some(1),
        '«' | '»' | '‘'..='‟' | '‹' | '›' | '〈'..='】' | '（' | '）' => Some(1),
        _ => character.is_whitespace().then_some(0),
    }
}

/// Where the sentence that begins at `start` ends by Unicode Standard Annex #29.
///
/// No rule of the annex breaks but behind a terminator or a line end, and none looks back further
/// than the letter before these, with its marks. So the rules, which look at every character, are
/// asked about what follows the first character that could be a terminator, and the letter before.
fn sentence_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let Some(candidate) = (start..bytes.len()).find(|&at| could_end(&bytes[at..])) else { return text.len() };
    let before = bytes[start..candidate].iter().rposition(u8::is_ascii);
    let from = before.map_or(start, |offset| start + offset);
    let first = text.get(from..).and_then(|rest| rest.split_sentence_bounds().next());
    from + first.map_or(text.len() - from, str::len)
}

/// Whether a character with the Unicode property `Sentence_Break` of a terminator or a separator
/// could begin here; surely not within Latin, Greek, Cyrillic, Kana, Han and Hangul letters.
fn could_end(bytes: &[u8]) -> bool {
    match *bytes {
        [byte, ..] if byte.is_ascii() => matches!(byte, b'.' | b'!' | b'?' | b'\n' | b'\r'),
        // The bytes behind a first one.
        [0x80..=0xbf, ..] => false,
        [0xc2, second, ..] => second == 0x85,
        [0xc3..=0xcb | 0xce..=0xd5 | 0xe4..=0xe9 | 0xeb..=0xec, ..] => false,
        // Dashes, quotation marks, the ellipsis.
        [0xe2, 0x80, third, ..] => !matches!(third, 0x90..=0xa3 | 0xa6..=0xa7 | 0xaa..=0xbb),
        [0xe3, second, ..] => !(0x81..=0x83).contains(&second),
        _ => true,
    }
}

/// Whether the text is more than a fragment such as an entry of a list or a line of an address:
/// it ends like a sentence, or is as long as one.
pub fn is_sentence(text: &str) -> bool {
    const LEAST_WORDS: usize = 6;
    let ended = text.trim_end().trim_end_matches(|character: char| {
        matches!(character, '"' | '\'' | ')' | ']' | '»' | '”' | '’' | '“' | '」' | '』' | '）')
    });
    if ended.ends_with(['.', '!', '?', '…', '。', '！', '？', '।', '॥', '؟', '۔', '։', '።', '။', '៖', '។'])
    {
        return true;
    }
    let mut count = 0;
    words(text, |_| count += 1);
    count >= LEAST_WORDS
}

/// Feeds a number for each word of the text: runs of letters and digits without regard to case,
/// and pairs of neighbouring characters where words are written without blanks between them.
pub fn words(text: &str, mut word: impl FnMut(u64)) {
    let mut hasher = FxHasher::default();
    let mut open = false;
    // The character before, and whether it has been part of a pair.
    let mut before: Option<(char, bool)> = None;
    let end_unspaced = |before: &mut Option<(char, bool)>, word: &mut dyn FnMut(u64)| {
        if let Some((character, false)) = before.take() {
            word(hash_pair(character, '\0'));
        }
    };
    for character in text.chars() {
        if is_unspaced(character) && character.is_alphanumeric() {
            if std::mem::take(&mut open) {
                word(std::mem::take(&mut hasher).finish());
            }
            if let Some((previous, _)) = before {
                word(hash_pair(previous, character));
            }
            before = Some((character, before.is_some()));
            continue;
        }
        end_unspaced(&mut before, &mut word);
        if character.is_ascii_alphanumeric() {
            hasher.write_u32(u32::from(character.to_ascii_lowercase()));
            open = true;
        } else if character.is_alphanumeric() {
            for lower in character.to_lowercase() {
                hasher.write_u32(u32::from(lower));
            }
            open = true;
        } else if std::mem::take(&mut open) {
            word(std::mem::take(&mut hasher).finish());
        }
    }
    end_unspaced(&mut before, &mut word);
    if open {
        word(hasher.finish());
    }
}

/// Whether the character is of a script that puts no blanks between words.
pub(super) fn is_unspaced(character: char) -> bool {
    matches!(character,
        '\u{0e00}'..='\u{0eff}' // Thai, Lao
        | '\u{1000}'..='\u{109f}' // Myanmar
        | '\u{1780}'..='\u{17ff}' // Khmer
        | '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9f}' // Kana
        | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}') // Han
}

fn hash_pair(first: char, second: char) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u32(u32::from(first));
    hasher.write_u32(u32::from(second) | 1 << 31);
    hasher.finish()
}

/// Places in a piece where a sentence ends although the annex lets it go on, because a small
/// letter or a number follows: after a full stop behind a word that is no abbreviation.
fn full_stops_inside(piece: &str) -> Vec<usize> {
    let mut stops = Vec::new();
    for (at, _) in piece.match_indices(". ") {
        let after = piece.get(at + 2..).unwrap_or("").trim_start();
        let follows = after.chars().next().is_some_and(|next| next.is_lowercase() || next.is_numeric());
        if follows {
            let head = piece.get(..=at).unwrap_or("");
            let word = last_word(head);
            let whole_word = word.chars().count() >= 3 && word.chars().all(char::is_alphabetic);
            if whole_word && !is_abbreviated(head) && !is_abbreviated_before_number(word, after) {
                stops.push(piece.len() - after.len());
            }
        }
    }
    stops
}

/// Whether a text that ends in a full stop ends in an abbreviation.
fn is_abbreviated(text: &str) -> bool {
    let word = last_word(text);
    let mut characters = word.chars();
    match (characters.next(), characters.next()) {
        (Some(initial), None) if initial.is_uppercase() => return true,
        (Some(digit), second) if digit.is_numeric() => {
            return second.is_none_or(char::is_numeric) && characters.next().is_none();
        }
        _ => {}
    }
    // "e.g.", "z.B.", "U.S."
    word.contains('.') && word.chars().filter(|character| character.is_alphabetic()).count() <= 4
        || ABBREVIATIONS.binary_search(&word.to_lowercase().as_str()).is_ok()
}

fn is_abbreviated_before_number(word: &str, after: &str) -> bool {
    after.starts_with(char::is_numeric) && BEFORE_NUMBERS.binary_search(&word.to_lowercase().as_str()).is_ok()
}

/// The last word of a text that ends in a full stop, without that full stop.
fn last_word(text: &str) -> &str {
    const LONGEST: usize = 40;
    let text = text.strip_suffix('.').unwrap_or(text);
    let from = text
        .char_indices()
        .rev()
        .take(LONGEST)
        .take_while(|(_, character)| character.is_alphanumeric() || *character == '.')
        .last()
        .map_or(text.len(), |(at, _)| at);
    text.get(from..).unwrap_or("")
}

/// Abbreviations that stand before a name or a noun, in small letters, sorted.
const ABBREVIATIONS: &[&str] = &[
    "abs", "approx", "apr", "art", "aug", "av", "ave", "avv", "blvd", "blz", "bspw", "bzw", "ca", "capt", "cf", "col",
    "dec", "dept", "dez", "dhr", "dipl", "dott", "dr", "dra", "drs", "enz", "est", "etc", "evtl", "excl", "feb",
    "febr", "fig", "gen", "ggf", "hon", "incl", "ing", "inkl", "ir", "jan", "jr", "juv", "lt", "mevr", "mio", "mlle",
    "mme", "mr", "mrd", "mrs", "ms", "mt", "nov", "nr", "nro", "núm", "oct", "okt", "pag", "pp", "prof", "pág", "rd",
    "rev", "sen", "sept", "sgt", "sig", "sr", "sra", "srta", "st", "ste", "str", "tel", "ud", "uds", "vgl", "vol",
    "vs", "zzgl", "г", "д", "им", "п", "руб", "стр", "т", "ул",
];

/// Words that are abbreviations when a number follows, sorted.
const BEFORE_NUMBERS: &[&str] = &["artt", "cap", "chap", "lit", "max", "min", "nos", "par", "pos", "sec", "seq", "ver"];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, wanted: &[&str]) {
        let ranges = sentences(text);
        let found: Vec<&str> = ranges.iter().map(|range| text[range.clone()].trim()).collect();
        assert_eq!(found, wanted, "{text:?}");
        let covered: String = ranges.iter().map(|range| &text[range.clone()]).collect();
        assert_eq!(covered, text, "sentences cover the text");
    }

    #[test]
    fn sentences_end_where_the_annex_ends_them() {
        let parts = [
            "a", "B", "é", "3", ".", "!", "?", "…", "。", " ", "\u{a0}", "\n", "\r", "\u{2029}", "\u{301}", "\u{ad}",
            ",", "-", ")", "\"", "語", "ا", "word", " The ", "–", "’", "ж", "Ж", "ひ", "한", "«", "  ", "))", "\t ",
            "(\"",
        ];
        let mut state = 11_usize;
        for _ in 0..40_000 {
            let mut text = String::new();
            for _ in 0..9 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push_str(parts[(state >> 33) % parts.len()]);
            }
            let mut start = 0;
            let found: Vec<&str> =
                sentence_ends(&text).into_iter().map(|end| &text[std::mem::replace(&mut start, end)..end]).collect();
            assert_eq!(found, text.split_sentence_bounds().collect::<Vec<_>>(), "{text:?}");
        }
    }

    #[test]
    fn a_run_of_what_can_be_repeated_is_as_good_as_one() {
        let ends = |text: &str| text.split_sentence_bounds().map(str::len).collect::<Vec<_>>();
        for character in (0..=0x0010_ffff).filter_map(char::from_u32) {
            let Some(kind) = repeatable(character) else { continue };
            // Where it stands for all of its kind, a plain one ends the same sentences.
            let plain = if kind == 0 { " " } else { ")" };
            for around in ["a.{} B", "a. {}B", "a.{}b", "a!{}.B", "a.{}\nB", "A{}.b"] {
                let one = around.replace("{}", &character.to_string());
                let more = around.replace("{}", &format!("{character}{plain}{character}"));
                let grown = more.len() - one.len();
                let (one, more) = (ends(&one), ends(&more));
                assert_eq!(one.len(), more.len(), "{character:?} in {around:?}");
                assert_eq!(one.iter().sum::<usize>() + grown, more.iter().sum::<usize>());
            }
        }
    }

    #[test]
    fn every_character_that_ends_a_sentence_could_end_one() {
        for character in (0..=0x0010_ffff).filter_map(char::from_u32) {
            let text = format!("a{character} A");
            if text.split_sentence_bounds().count() > 1 {
                assert!(could_end(character.to_string().as_bytes()), "{character:?}");
            }
        }
    }

    #[test]
    fn sentences_end_at_the_terminators_of_every_script() {
        check("One. Two! Three? Four: five; six", &["One.", "Two!", "Three?", "Four: five; six"]);
        check("猫が好き。犬も好き。 鳥は嫌い。", &["猫が好き。", "犬も好き。", "鳥は嫌い。"]);
        check("Кот спит. Пёс ест.", &["Кот спит.", "Пёс ест."]);
        check("هل وصل؟ نعم وصل.", &["هل وصل؟", "نعم وصل."]);
        check("यह पहला है। यह दूसरा है।", &["यह पहला है।", "यह दूसरा है।"]);
        check("Wait... what?! Yes.", &["Wait... what?!", "Yes."]);
        check("  lead. Tail  ", &["lead.", "Tail"]);
        check("", &[]);
        check(" \n ", &[""]);
    }

    #[test]
    fn abbreviations_initials_and_numbers_do_not_end_sentences() {
        check("Dr. Vos lives in St. Anna. She is in.", &["Dr. Vos lives in St. Anna.", "She is in."]);
        check("Vos, e.g. here. 9.30 uur", &["Vos, e.g. here.", "9.30 uur"]);
        check("J. K. Adams wrote it. We read it.", &["J. K. Adams wrote it.", "We read it."]);
        check("Am 3. Mai ist zu. Danach offen.", &["Am 3. Mai ist zu.", "Danach offen."]);
        check("It costs 3.50 now. Buy.", &["It costs 3.50 now.", "Buy."]);
    }

    #[test]
    fn a_whole_word_before_a_full_stop_ends_a_sentence_before_small_letters_too() {
        check("same words here. same words there. other", &["same words here.", "same words there.", "other"]);
        check("the gate shuts at nine. 5 minutes later", &["the gate shuts at nine.", "5 minutes later"]);
    }

    #[test]
    fn the_tables_are_sorted() {
        assert!(ABBREVIATIONS.is_sorted() && BEFORE_NUMBERS.is_sorted());
    }

    fn count_words(text: &str) -> usize {
        let mut count = 0;
        words(text, |_| count += 1);
        count
    }

    #[test]
    fn words_are_found_in_every_script() {
        assert_eq!(count_words("Ferry FERRY, café 42"), 4);
        assert_eq!(count_words("Кот ест"), 2);
        assert_eq!(count_words("明日は雨"), 3);
        assert_eq!(count_words("雨"), 1);
        let mut first = Vec::new();
        words("Ferry ÉTÉ", |word| first.push(word));
        let mut second = Vec::new();
        words("fERRY été", |word| second.push(word));
        assert_eq!(first, second);
    }
}
