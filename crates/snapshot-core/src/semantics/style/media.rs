//! Conditions: media queries (Media Queries 5) and `@supports` (CSS Conditional Rules 4).
//!
//! Queries are answered for one stated device: a screen of [`VIEWPORT_WIDTH`] by
//! [`VIEWPORT_HEIGHT`] pixels with a mouse, and no preferences set.

use cssparser::{BasicParseError, Parser as CssParser, Token};

use super::declaration::pixels;
use super::{VIEWPORT_HEIGHT, VIEWPORT_WIDTH};

/// Whether the list of media queries holds; an empty list does.
pub(super) fn media_matches(list: &str) -> bool {
    let mut input = CssParser::new(list);
    input.set_nested_block_limit(NESTING_LIMIT);
    if input.is_exhausted() {
        return true;
    }
    input.parse_comma_separated(|input| Ok::<_, cssparser::ParseError<()>>(query(input))).is_ok_and(|results| {
        // A malformed query is `not all`; the others stand.
        results.into_iter().any(|result| result == Truth::Yes)
    })
}

/// Whether the condition of `@supports` holds. What a browser of today has is taken as
/// supported; what carries another engine's prefix is not.
pub(super) fn supports_matches(condition: &str) -> bool {
    let mut input = CssParser::new(condition);
    input.set_nested_block_limit(NESTING_LIMIT);
    let truth = condition_of(&mut input, &supports_leaf);
    truth == Truth::Yes && input.is_exhausted()
}

const NESTING_LIMIT: u8 = 32;

/// Kleene's three values: what is not understood is neither true nor false.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Truth {
    Yes,
    No,
    Unknown,
}

impl Truth {
    fn not(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            Self::Unknown => Self::Unknown,
        }
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, Self::Yes) => Self::Yes,
            _ => Self::Unknown,
        }
    }

    fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }
}

impl From<bool> for Truth {
    fn from(value: bool) -> Self {
        if value { Self::Yes } else { Self::No }
    }
}

/// `[not | only]? type [and condition]?`, or a condition.
fn query(input: &mut CssParser<'_>) -> Truth {
    let start = input.state();
    let mut negated = false;
    let mut kind = match input.next() {
        Ok(Token::Ident(word)) => word.clone(),
        _ => {
            input.reset(&start);
            return finish(condition_of(input, &media_leaf), input);
        }
    };
    if kind.eq_ignore_ascii_case("not") || kind.eq_ignore_ascii_case("only") {
        negated = kind.eq_ignore_ascii_case("not");
        kind = match input.next() {
            Ok(Token::Ident(word)) => word.clone(),
            _ => {
                input.reset(&start);
                return finish(condition_of(input, &media_leaf), input);
            }
        };
    }
    let mut truth = Truth::from(kind.eq_ignore_ascii_case("all") || kind.eq_ignore_ascii_case("screen"));
    if input.try_parse(|input| input.expect_ident_matching("and")).is_ok() {
        truth = truth.and(condition_of(input, &media_leaf));
    }
    let truth = finish(truth, input);
    if negated { truth.not() } else { truth }
}

/// What is left over makes the query malformed.
fn finish(truth: Truth, input: &mut CssParser<'_>) -> Truth {
    let mut rest = false;
    while input.next().is_ok() {
        rest = true;
    }
    if rest { Truth::Unknown } else { truth }
}

type Leaf<'leaf> = &'leaf dyn Fn(&mut CssParser<'_>, Option<&str>) -> Truth;

/// `not X`, `X and Y and …`, `X or Y or …`, where each is a leaf or in parentheses.
fn condition_of(input: &mut CssParser<'_>, leaf: Leaf<'_>) -> Truth {
    if input.try_parse(|input| input.expect_ident_matching("not")).is_ok() {
        return part(input, leaf).not();
    }
    let mut truth = part(input, leaf);
    loop {
        if input.try_parse(|input| input.expect_ident_matching("and")).is_ok() {
            truth = truth.and(part(input, leaf));
        } else if input.try_parse(|input| input.expect_ident_matching("or")).is_ok() {
            truth = truth.or(part(input, leaf));
        } else {
            return truth;
        }
    }
}

fn part(input: &mut CssParser<'_>, leaf: Leaf<'_>) -> Truth {
    let function = match input.next() {
        Ok(Token::ParenthesisBlock) => None,
        Ok(Token::Function(name)) => Some(name.clone()),
        _ => return Truth::Unknown,
    };
    let result = input.parse_nested_block(|input| {
        let truth = match &function {
            Some(name) => leaf(input, Some(name.as_ref())),
            None => {
                let start = input.state();
                let nested = match input.next() {
                    Ok(Token::ParenthesisBlock | Token::Function(_)) => true,
                    Ok(Token::Ident(word)) => word.eq_ignore_ascii_case("not"),
                    _ => false,
                };
                input.reset(&start);
                // A function may also be the value in a range, `calc(1px) < width`.
                if nested { condition_of(input, leaf) } else { leaf(input, None) }
            }
        };
        while input.next().is_ok() {}
        Ok::<_, cssparser::ParseError<()>>(truth)
    });
    result.unwrap_or(Truth::Unknown)
}

/// A declaration, or one of the functions of `@supports`.
fn supports_leaf(input: &mut CssParser<'_>, function: Option<&str>) -> Truth {
    let start = input.position();
    while input.next().is_ok() {}
    let text = input.slice_from(start).trim();
    match function {
        Some(name) if name.eq_ignore_ascii_case("selector") => {
            let mut selector = CssParser::new(text);
            selector.set_nested_block_limit(NESTING_LIMIT);
            let parser = crate::selector::SelectorParser { nested: true, sheet: true };
            Truth::from(parser.parse_list(&mut selector).is_ok())
        }
        Some(name) => Truth::from(name.eq_ignore_ascii_case("font-tech") || name.eq_ignore_ascii_case("font-format")),
        None => match text.split_once(':') {
            Some((property, value)) => {
                let (property, value) = (property.trim(), value.trim());
                let foreign = |text: &str| {
                    ["-moz-", "-ms-", "-o-", "-khtml-", "-apple-"]
                        .iter()
                        .any(|prefix| text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix)))
                };
                let apple = property.eq_ignore_ascii_case("-webkit-touch-callout")
                    || property.eq_ignore_ascii_case("-webkit-overflow-scrolling");
                Truth::from(!foreign(property) && !foreign(value) && !apple && !value.is_empty())
            }
            None => Truth::Unknown,
        },
    }
}

/// A feature: `hover`, `min-width: 30em`, `width >= 600px`, `400px <= width <= 700px`.
fn media_leaf(input: &mut CssParser<'_>, function: Option<&str>) -> Truth {
    if function.is_some() {
        return Truth::Unknown;
    }
    let first = operand(input);
    if input.try_parse(CssParser::expect_colon).is_ok() {
        let Ok(Operand::Word(name)) = first else { return Truth::Unknown };
        let Ok(value) = operand(input) else { return Truth::Unknown };
        return plain_feature(&name, &value);
    }
    let (Ok(first), Some(comparison)) = (first.clone(), comparison(input)) else {
        let Ok(Operand::Word(name)) = first else { return Truth::Unknown };
        return boolean_feature(&name);
    };
    let Ok(second) = operand(input) else { return Truth::Unknown };
    match (first, second) {
        (Operand::Word(name), Operand::Value(value)) => compare(feature_value(&name), comparison, value),
        (Operand::Value(value), Operand::Word(name)) => {
            let truth = compare(feature_value(&name), comparison.flipped(), value);
            let Some(next) = self::comparison(input) else { return truth };
            let Ok(Operand::Value(end)) = operand(input) else { return Truth::Unknown };
            truth.and(compare(feature_value(&name), next, end))
        }
        _ => Truth::Unknown,
    }
}

/// One side of a feature.
#[derive(Clone, PartialEq, Debug)]
enum Operand {
    Word(String),
    /// Pixels, dots per pixel, or a plain number.
    Value(f32),
}

fn operand(input: &mut CssParser<'_>) -> Result<Operand, BasicParseError> {
    let operand = match input.next()? {
        Token::Ident(word) => Operand::Word(word.to_ascii_lowercase()),
        Token::Number { value, .. } => Operand::Value(*value),
        Token::Dimension { value, unit, .. } => {
            let unit = unit.to_ascii_lowercase();
            Operand::Value(match unit.as_str() {
                "dppx" | "x" => *value,
                "dpi" => *value / 96.0,
                "dpcm" => *value / 96.0 * 2.54,
                unit => pixels(*value, unit),
            })
        }
        _ => return Err(BasicParseError::unexpected_token()),
    };
    // A ratio: `16 / 9`.
    if let Operand::Value(value) = operand
        && input.try_parse(|input| input.expect_delim('/')).is_ok()
    {
        return Ok(Operand::Value(value / input.expect_number()?));
    }
    Ok(operand)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    Less,
    LessOrEqual,
    Equal,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    fn flipped(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Equal => Self::Equal,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
        }
    }
}

fn comparison(input: &mut CssParser<'_>) -> Option<Comparison> {
    let sign = input
        .try_parse(|input| match input.next()? {
            Token::Delim(sign @ ('<' | '>' | '=')) => Ok(*sign),
            _ => Err(BasicParseError::unexpected_token()),
        })
        .ok()?;
    let or_equal = sign != '=' && input.try_parse(|input| input.expect_delim('=')).is_ok();
    Some(match (sign, or_equal) {
        ('<', false) => Comparison::Less,
        ('<', true) => Comparison::LessOrEqual,
        ('>', false) => Comparison::Greater,
        ('>', true) => Comparison::GreaterOrEqual,
        _ => Comparison::Equal,
    })
}

/// The device's value of a feature that can be compared.
fn feature_value(name: &str) -> Option<f32> {
    Some(match name {
        "width" | "device-width" | "inline-size" => VIEWPORT_WIDTH,
        "height" | "device-height" | "block-size" => VIEWPORT_HEIGHT,
        "aspect-ratio" | "device-aspect-ratio" => VIEWPORT_WIDTH / VIEWPORT_HEIGHT,
        "resolution" | "-webkit-device-pixel-ratio" => 1.0,
        "color" => 8.0,
        "color-index" | "monochrome" | "grid" => 0.0,
        _ => return None,
    })
}

fn compare(own: Option<f32>, comparison: Comparison, value: f32) -> Truth {
    let Some(own) = own else { return Truth::Unknown };
    Truth::from(match comparison {
        Comparison::Less => own < value,
        Comparison::LessOrEqual => own <= value,
        Comparison::Equal => (own - value).abs() < f32::EPSILON,
        Comparison::Greater => own > value,
        Comparison::GreaterOrEqual => own >= value,
    })
}

/// Features with words as values, and the device's own.
const WORDS: &[(&str, &str, &[&str])] = &[
    ("orientation", "landscape", &["portrait"]),
    ("hover", "hover", &["none"]),
    ("any-hover", "hover", &["none"]),
    ("pointer", "fine", &["coarse", "none"]),
    ("any-pointer", "fine", &["coarse", "none"]),
    ("scripting", "none", &["enabled", "initial-only"]),
    ("update", "fast", &["slow", "none"]),
    ("overflow-block", "scroll", &["none", "paged"]),
    ("overflow-inline", "scroll", &["none"]),
    ("color-gamut", "srgb", &["p3", "rec2020"]),
    ("dynamic-range", "standard", &["high"]),
    ("video-dynamic-range", "standard", &["high"]),
    (
        "display-mode",
        "browser",
        &["fullscreen", "standalone", "minimal-ui", "picture-in-picture", "window-controls-overlay"],
    ),
    ("forced-colors", "none", &["active"]),
    ("inverted-colors", "none", &["inverted"]),
    ("prefers-color-scheme", "light", &["dark"]),
    ("prefers-contrast", "no-preference", &["more", "less", "custom"]),
    ("prefers-reduced-data", "no-preference", &["reduce"]),
    ("prefers-reduced-motion", "no-preference", &["reduce"]),
    ("prefers-reduced-transparency", "no-preference", &["reduce"]),
];

fn plain_feature(name: &str, value: &Operand) -> Truth {
    let (bare, comparison) = if let Some(bare) = strip_bound(name, "min-") {
        (bare, Comparison::GreaterOrEqual)
    } else if let Some(bare) = strip_bound(name, "max-") {
        (bare, Comparison::LessOrEqual)
    } else {
        (name.to_owned(), Comparison::Equal)
    };
    match value {
        Operand::Value(value) => compare(feature_value(&bare), comparison, *value),
        Operand::Word(word) => match WORDS.iter().find(|(known, ..)| *known == name) {
            Some((_, own, _)) if own == word => Truth::Yes,
            Some((_, _, others)) if others.contains(&word.as_str()) => Truth::No,
            _ => Truth::Unknown,
        },
    }
}

/// `min-width` → `width`, `-webkit-min-device-pixel-ratio` → `-webkit-device-pixel-ratio`.
fn strip_bound(name: &str, bound: &str) -> Option<String> {
    if let Some(bare) = name.strip_prefix(bound) {
        return Some(bare.to_owned());
    }
    let bare = name.strip_prefix("-webkit-")?.strip_prefix(bound)?;
    Some(format!("-webkit-{bare}"))
}

fn boolean_feature(name: &str) -> Truth {
    if let Some((_, own, _)) = WORDS.iter().find(|(known, ..)| *known == name) {
        return Truth::from(!matches!(*own, "none" | "no-preference"));
    }
    feature_value(name).map_or(Truth::Unknown, |value| Truth::from(value != 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_queries_are_answered_for_the_stated_screen() {
        let holds = [
            "",
            "all",
            "screen",
            "only screen and (min-width: 768px)",
            "(min-width: 48em) and (max-width: 80em)",
            "print, screen",
            "not print",
            "(width >= 600px)",
            "(400px <= width <= 1280px)",
            "(1280px = width)",
            "(hover) and (pointer: fine)",
            "(hover: hover)",
            "(orientation: landscape)",
            "not all and (monochrome)",
            "(min-aspect-ratio: 16/12)",
            "(prefers-color-scheme: light)",
            "(not (max-width: 600px))",
            "((min-width: 10px) or (max-width: 10px))",
            "nonsense(), screen",
            "screen and (-webkit-min-device-pixel-ratio:0)",
        ];
        let fails = [
            "print",
            "not screen",
            "(max-width: 600px)",
            "only screen and (max-width:1279px)",
            "(width < 1280px)",
            "(min-resolution: 2dppx)",
            "(prefers-reduced-motion)",
            "(prefers-reduced-motion: reduce)",
            "(prefers-color-scheme: dark)",
            "(hover: none)",
            "(unheard-of: yes)",
            "not (unheard-of: yes)",
            "screen and",
            "(min-width: 10px) nonsense",
            "speech",
        ];
        for query in holds {
            assert!(media_matches(query), "{query:?} holds");
        }
        for query in fails {
            assert!(!media_matches(query), "{query:?} does not hold");
        }
    }

    #[test]
    fn supports_conditions_say_what_browsers_of_today_have() {
        let holds = [
            "(display: grid)",
            "(display: grid) and (not (-moz-appearance: none))",
            "not (-ms-ime-align: auto)",
            "selector(:has(a))",
            "(--x: 1)",
            "((position: sticky) or (position: -webkit-sticky))",
        ];
        let fails = ["not (display: grid)", "(-moz-appearance: none)", "selector(:unheard-of)", "nonsense", ""];
        for condition in holds {
            assert!(supports_matches(condition), "{condition:?} holds");
        }
        for condition in fails {
            assert!(!supports_matches(condition), "{condition:?} does not hold");
        }
    }
}
