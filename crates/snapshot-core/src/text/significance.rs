//! Sentences whose loss would turn the sense round: negations, warnings, prices, dates.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use super::sentences::is_unspaced;

/// Whether the sentence bears a negation, a warning, an amount of money, a percentage, a date or
/// a time, in any of the languages of the tables below.
pub fn is_significant(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let has_digit = lower.chars().any(char::is_numeric);
    if lower.chars().any(is_currency_sign) || has_digit && (lower.contains(['%', '٪']) || has_date(&lower)) {
        return true;
    }
    if lower.contains("n't") || lower.contains("n’t") {
        return true;
    }
    if lower.chars().any(is_unspaced)
        && (UNSPACED.iter().any(|word| lower.contains(word))
            || has_digit && ["元", "円", "บาท", "月", "年", "日", "時", "时"].iter().any(|word| lower.contains(word)))
    {
        return true;
    }
    lower.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).any(|word| {
        WORDS.contains(word)
            || has_digit
                && (BESIDE_NUMBERS.contains(word) || BESIDE_NUMBERS.contains(word.trim_start_matches(char::is_numeric)))
            || STEMS.iter().any(|stem| word.starts_with(stem))
    })
}

/// Unicode category Sc, as far as it is in use.
fn is_currency_sign(character: char) -> bool {
    matches!(character, '$' | '¢'..='¥' | '֏' | '؋' | '৲' | '৳' | '฿' | '៛' | '₠'..='⃀' | '﷼' | '＄' | '￥' | '￡' | '￦')
}

/// Whether there are numbers with a separator between them as in dates and times: 12.03.2025,
/// 2025-03-12, 12/03, 14:30.
fn has_date(text: &str) -> bool {
    let mut parts = 0;
    let mut digits = 0;
    let mut separator = None;
    for character in text.chars().chain([' ']) {
        if character.is_numeric() {
            digits += 1;
            continue;
        }
        let number = (1..=4).contains(&digits);
        digits = 0;
        if number {
            parts += 1;
            if parts >= 2 && matches!(separator, Some(':' | '/')) || parts >= 3 {
                return true;
            }
        } else {
            parts = 0;
        }
        if matches!(character, '.' | '-' | '/' | ':') && number && (separator == Some(character) || parts == 1) {
            separator = Some(character);
        } else {
            parts = 0;
            separator = None;
        }
    }
    false
}

static WORDS: LazyLock<FxHashSet<&'static str>> =
    LazyLock::new(|| NEGATIONS.iter().chain(WARNINGS).flat_map(|words| words.split(' ')).collect());

static BESIDE_NUMBERS: LazyLock<FxHashSet<&'static str>> =
    LazyLock::new(|| CURRENCIES.iter().chain(MONTHS).flat_map(|words| words.split(' ')).collect());

/// Negations by language.
const NEGATIONS: &[&str] = &[
    // English
    "no not never none nobody nothing neither nor without cannot",
    // German
    "nicht kein keine keinen keinem keiner keines nie niemals nichts niemand ohne weder nirgends",
    // French
    "ne n pas jamais aucun aucune sans ni rien",
    // Spanish
    "nunca jamás ningún ninguna ninguno nada nadie sin tampoco",
    // Italian
    "non mai nessun nessuno nessuna niente nulla senza né",
    // Portuguese
    "não nenhum nenhuma ninguém sem nem",
    // Dutch
    "niet geen nooit niets niemand zonder noch",
    // Russian, Ukrainian
    "не нет ни никогда никто ничего без нельзя ні немає",
    // Polish, Czech
    "nie nigdy bez nic není nikdy",
    // Swedish, Danish, Norwegian
    "inte ej aldrig ingen inga inget utan ikke ingenting uden uten",
    // Finnish, Hungarian, Romanian, Turkish
    "ei älä eivät nem ne soha nélkül fără değil yok hayır",
    // Greek, Hebrew
    "δεν μην όχι χωρίς לא אין בלי אל",
    // Arabic
    "لا لم لن ليس ليست غير دون بدون ممنوع يحظر",
    // Hindi
    "नहीं न मत बिना",
    // Vietnamese, Indonesian
    "không đừng chưa tidak bukan jangan tanpa belum",
];

/// Words that announce a danger or a duty.
const WARNINGS: &[&str] = &[
    "warning warnings caution danger important must attention irreversible",
    "achtung vorsicht warnung warnhinweis gefahr wichtig",
    "avertissement attention danger important",
    "advertencia cuidado peligro atención importante",
    "attenzione avviso pericolo avvertenza importante",
    "aviso perigo atenção cuidado",
    "waarschuwing gevaar belangrijk opgelet",
    "внимание осторожно предупреждение опасно важно",
    "تحذير تنبيه خطر انتبه",
    "uwaga ostrzeżenie varning advarsel varoitus dikkat uyarı",
];

/// Beginnings of negated words in languages that join the negation to the word.
const STEMS: &[&str] = &["않", "없", "못", "아니", "금지", "주의", "경고"];

/// Negations, bans and warnings of languages without blanks.
const UNSPACED: &[&str] = &[
    "ない",
    "なし",
    "ません",
    "ず、",
    "ぬよう",
    "禁止",
    "禁",
    "不",
    "没",
    "沒",
    "无",
    "無",
    "勿",
    "别",
    "未",
    "莫",
    "非",
    "注意",
    "警告",
    "危険",
    "危险",
    "ไม่",
    "ห้าม",
    "ระวัง",
    "មិន",
    "ບໍ່",
];

/// Names of currencies, which mean money beside a number.
const CURRENCIES: &[&str] = &[
    "usd eur gbp chf jpy cny rmb rub inr pln czk sek nok dkk huf try brl mxn cad aud krw uah sar aed",
    "euro euros dollar dollars dólares pound pounds cent cents yen yuan franc francs franken rupees rubel kr kronor kroner zł kč ft lei lira liras pesos reais",
    "руб рубль рубля рублей коп грн евро долларов ريال درهم جنيه دولار يورو 원 रुपये đồng",
];

/// Names of months, which mean a date beside a number.
const MONTHS: &[&str] = &[
    "january february march april may june july august september october november december",
    "jan feb mar apr jun jul aug sep sept oct nov dec",
    "januar februar märz mai juni juli oktober dezember jänner",
    "janvier février mars avril juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre",
    "janeiro fevereiro março maio junho julho setembro outubro novembro dezembro",
    "januari februari maart mei augustus",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negations_warnings_prices_and_dates_are_found_in_every_language() {
        for sentence in [
            "Do not press Delete.",
            "You can't undo this.",
            "Drücken Sie nicht auf Löschen.",
            "N’appuyez pas ici.",
            "No pulse aquí.",
            "Non premere.",
            "Não toque aqui.",
            "Niet aanraken.",
            "لا تضغط هنا.",
            "ここを押さないでください。",
            "请勿触摸。",
            "Не нажимайте.",
            "누르지 않습니다.",
            "ห้ามเข้า",
            "Warning: hot surface.",
            "Achtung, heiß!",
            "It costs $5.",
            "Zusammen 12,50 EUR.",
            "Kostet 5€.",
            "Цена 100 рублей.",
            "全部で300円です。",
            "Save 20 % now.",
            "Ends 12.03.2025 at noon.",
            "Doors open at 14:30.",
            "Closed on May 3.",
            "Ab 3. Mai offen.",
        ] {
            assert!(is_significant(sentence), "{sentence}");
        }
    }

    #[test]
    fn plain_sentences_are_plain() {
        for sentence in [
            "You agree to the terms.",
            "The ferry costs four euro.",
            "Version 2 is here.",
            "Кот спит.",
            "今日は晴れです。",
            "It may rain.",
            "Chapter 3.2 is long.",
            "",
        ] {
            assert!(!is_significant(sentence), "{sentence}");
        }
    }
}
