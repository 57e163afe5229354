//! Words of any script, in a form that finds their kin.

/// Calls `found` with each word of the text: in lower case, without accents, shortened to its
/// stem by a few rules of the language (a BCP 47 tag; English rules when it is unknown). Of
/// scripts without spaces every two neighbouring characters are a word.
pub(crate) fn words(text: &str, language: &str, mut found: impl FnMut(&str)) {
    let rules = Rules::of(language);
    let mut word = String::new();
    let mut unspaced: Vec<char> = Vec::new();
    for character in text.chars().chain([' ']) {
        if is_unspaced(character) {
            flush_word(&mut word, rules, &mut found);
            unspaced.push(character);
            continue;
        }
        flush_unspaced(&mut unspaced, &mut found);
        if character.is_alphanumeric() {
            if word.len() < LONGEST_WORD {
                character.to_lowercase().for_each(|lower| push_plain(&mut word, lower));
            }
        } else if !is_combining(character) {
            flush_word(&mut word, rules, &mut found);
        }
    }
    flush_unspaced(&mut unspaced, &mut found);
}

/// Longer ones are no words; they are cut.
const LONGEST_WORD: usize = 48;

fn flush_word(word: &mut String, rules: Rules, found: &mut impl FnMut(&str)) {
    if !word.is_empty() {
        found(rules.stem(word));
        word.clear();
    }
}

fn flush_unspaced(run: &mut Vec<char>, found: &mut impl FnMut(&str)) {
    match run.as_slice() {
        [] => return,
        [single] => found(single.encode_utf8(&mut [0; 4])),
        pairs => pairs.windows(2).for_each(|pair| found(&pair.iter().collect::<String>())),
    }
    run.clear();
}

/// Scripts written without spaces between words: Chinese, Japanese, Thai, Lao, Khmer, Burmese.
fn is_unspaced(character: char) -> bool {
    matches!(
        character,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3005}'..='\u{3007}'
            | '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}'
    ) && character.is_alphanumeric()
}

/// Marks that stand on the letter before them.
fn is_combining(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}')
}

/// Adds a letter without its accent.
fn push_plain(word: &mut String, character: char) {
    if character.is_ascii() {
        return word.push(character);
    }
    if is_combining(character) {
        return;
    }
    let plain = match character {
        'à'..='å' | 'ā' | 'ă' | 'ą' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'č' | 'ĉ' | 'ċ' => "c",
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => "e",
        'ì'..='ï' | 'ī' | 'į' | 'ı' => "i",
        'ð' | 'ď' | 'đ' => "d",
        'ñ' | 'ń' | 'ň' => "n",
        'ò'..='ö' | 'ø' | 'ō' | 'ő' => "o",
        'œ' => "oe",
        'ù'..='ü' | 'ū' | 'ů' | 'ű' | 'ų' => "u",
        'ý' | 'ÿ' => "y",
        'ß' => "ss",
        'ğ' | 'ģ' => "g",
        'ł' | 'ļ' | 'ľ' => "l",
        'ř' => "r",
        'ś' | 'š' | 'ş' | 'ș' => "s",
        'ť' | 'ţ' | 'ț' => "t",
        'ź' | 'ż' | 'ž' => "z",
        'أ' | 'إ' | 'آ' => "ا",
        'ة' => "ه",
        'ى' => "ي",
        'ё' => "е",
        _ => return word.push(character),
    };
    word.push_str(plain);
}

/// Endings that are taken off a word, longest first.
#[derive(Clone, Copy)]
struct Rules {
    endings: &'static [&'static str],
    prefixes: &'static [&'static str],
}

impl Rules {
    fn of(language: &str) -> Self {
        let main = language.split(['-', '_']).next().unwrap_or("").to_ascii_lowercase();
        let endings: &[&str] = match main.as_str() {
            "de" => &["ungen", "ung", "ern", "en", "em", "er", "es", "e", "n", "s"],
            "nl" => &["ingen", "ing", "en", "e", "s"],
            "fr" => &["ements", "ement", "ations", "ation", "ees", "er", "ez", "es", "ee", "e", "s", "x"],
            "es" | "pt" | "gl" => {
                &["aciones", "amente", "acion", "acao", "acoes", "mente", "es", "os", "as", "ar", "a", "o", "e", "s"]
            }
            "it" => &["azioni", "azione", "mente", "are", "ere", "ire", "a", "e", "i", "o"],
            "sv" | "da" | "no" | "nb" | "nn" => {
                &["erna", "arna", "erne", "ene", "en", "et", "er", "ar", "or", "a", "e", "n", "s", "t"]
            }
            "ru" | "uk" | "bg" => &[
                "ами", "ями", "ого", "его", "ому", "ему", "ыми", "ими", "ать", "ить", "ах", "ях", "ов", "ев", "ей",
                "ой", "ый", "ий", "ая", "яя", "ое", "ее", "ом", "ы", "и", "а", "я", "о", "е", "у", "ю", "ь",
            ],
            "ar" | "fa" => &["ات", "ون", "ين", "ها", "ه"],
            "he" => &["ים", "ות", "ה"],
            "pl" | "cs" | "sk" | "tr" | "fi" | "hu" | "vi" | "id" | "ko" => &[],
            _ => &["ings", "edly", "ing", "ies", "ed", "es", "ly", "s", "e", "y"],
        };
        let prefixes: &[&str] = match main.as_str() {
            "ar" => &["وال", "بال", "ال"],
            "he" => &["ה"],
            _ => &[],
        };
        Self { endings, prefixes }
    }

    fn stem(self, word: &str) -> &str {
        if word.bytes().any(|byte| byte.is_ascii_digit()) {
            return word;
        }
        let long_enough = |rest: &str| rest.chars().nth(2).is_some();
        let word = self
            .prefixes
            .iter()
            .filter_map(|prefix| word.strip_prefix(prefix))
            .find(|rest| long_enough(rest))
            .unwrap_or(word);
        let stem = self
            .endings
            .iter()
            .filter_map(|ending| word.strip_suffix(ending))
            .find(|rest| long_enough(rest))
            .unwrap_or(word);
        // "shipped" and "ship", "setting" and "set".
        let mut last = stem.chars().rev();
        match (last.next(), last.next(), last.next()) {
            (Some(last), Some(before), Some(_)) if last == before && stem.len() < word.len() && last.is_ascii() => {
                &stem[..stem.len() - 1]
            }
            _ => stem,
        }
    }
}

/// Whether the character is a sign that people put between words and that says nothing by itself.
pub(crate) fn is_separating(character: char) -> bool {
    const SIGNS: &str = "|/\\,;:.-·•›‹»«–—→><";
    SIGNS.contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: &str, text: &str, wanted: &str) {
        let mut found = Vec::new();
        words(text, language, |word| found.push(word.to_owned()));
        assert_eq!(found.join(" "), wanted, "{text}");
    }

    #[test]
    fn words_of_many_scripts() {
        check("en", "Sort by: newest-first (3)", "sort by newest first 3");
        check("en", "Stories story, shipped ship; Notes", "stor stor ship ship not");
        check("de", "Öffnungszeiten der Läden", "offnungszeit der lad");
        check("fr", "Réservations réservation", "reserv reserv");
        check("ja", "お支払い方法 A1", "お支 支払 払い い方 方法 a1");
        check("zh", "价 a", "价 a");
        check("ar", "السلة سلة", "سله سله");
        check("ru", "Корзины корзину", "корзин корзин");
        check("ko", "장바구니에 담기", "장바구니에 담기");
        check("", "e\u{301}te\u{301}", "ete");
    }
}
