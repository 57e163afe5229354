//! The few properties that decide what is shown, and their values.
//!
//! Only what a reader of text can notice is kept of a value: of `left`, whether it moves the
//! element off the screen. A value that Chromium would refuse is refused here too, since then an
//! earlier declaration stands (CSS Syntax 3, "error handling").

use cssparser::{Parser as CssParser, Token};

use super::property::Property;
use super::{Display, WhiteSpace};

/// The keywords that every property takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WideKeyword {
    /// `initial`
    Initial,
    /// `inherit`
    Inherit,
    /// `unset`: `inherit` for inherited properties, else `initial`.
    Unset,
    /// `revert` and `revert-layer`: what the browser's own sheet says.
    Revert,
}

/// How the element is placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Position {
    #[default]
    Static,
    /// `relative`, `sticky`
    Offset,
    /// `absolute`, `fixed`
    OutOfFlow,
}

/// What is kept of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    Wide(WideKeyword),
    Display(DisplayValue),
    WhiteSpace(WhiteSpace),
    Position(Position),
    /// The property does the one thing that we ask it about: hides, points, clips.
    Flag(bool),
    /// The text of `content`, by its number; `None` for `none`, `normal` and what has no text.
    Content(Option<u32>),
    /// A value with `var()`, by its number.
    Unresolved(u32),
}

/// A value of `display`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DisplayValue {
    pub(super) display: Display,
    pub(super) inside: Inside,
}

/// How an element lays out its children; in a `flex` or `grid` container they are blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Inside {
    Flow,
    Flex,
    Grid,
}

/// One declaration of a rule or a `style` attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Declaration {
    pub(super) property: Property,
    pub(super) value: Value,
    pub(super) important: bool,
}

/// Texts that declarations refer to by number.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    texts: Vec<Box<str>>,
}

impl Texts {
    pub(super) fn add(&mut self, text: &str) -> u32 {
        self.texts.push(text.into());
        u32::try_from(self.texts.len() - 1).unwrap_or(u32::MAX)
    }

    pub(super) fn get(&self, number: u32) -> &str {
        self.texts.get(number as usize).map_or("", |text| text)
    }
}

/// The longest value that is looked at: past it nothing legible follows.
const MAX_VALUE_BYTES: usize = 64 << 10;

/// Splits `!important` off a value.
pub(super) fn split_importance(value: &str) -> (&str, bool) {
    let value = value.trim();
    match value.rsplit_once('!') {
        Some((rest, word)) if word.trim().eq_ignore_ascii_case("important") => (rest.trim_end(), true),
        _ => (value, false),
    }
}

/// Reads the value of a declaration; nothing when it is not valid.
pub(super) fn parse_value(property: Property, name: &str, value: &str, texts: &mut Texts) -> Option<Value> {
    if value.len() > MAX_VALUE_BYTES {
        return None;
    }
    let cleaned;
    let value = if value.contains("/*") || value.contains('\\') {
        cleaned = normalise(value);
        cleaned.trim()
    } else {
        value
    };
    if contains_ignore_case(value, "var(") || contains_ignore_case(value, "env(") {
        return Some(Value::Unresolved(texts.add(value)));
    }
    if let Some(keyword) = wide_keyword(value) {
        return Some(Value::Wide(keyword));
    }
    if name.eq_ignore_ascii_case("all") {
        return None;
    }
    match property {
        Property::Display => display(value).map(Value::Display),
        Property::Visibility => keyword(value, &[("visible", false), ("hidden", true), ("collapse", true)]),
        Property::ContentVisibility => keyword(value, &[("visible", false), ("auto", false), ("hidden", true)]),
        Property::Cursor => cursor(value).map(Value::Flag),
        Property::PointerEvents => pointer_events(value).map(Value::Flag),
        Property::WhiteSpace => white_space(value).map(Value::WhiteSpace),
        Property::Content => content(value, texts),
        Property::Position => position(value).map(Value::Position),
        Property::Float => keyword(
            value,
            &[("none", false), ("left", true), ("right", true), ("inline-start", true), ("inline-end", true)],
        ),
        Property::Opacity => first_number(value).map(|(number, _)| Value::Flag(number <= 0.0)),
        Property::Clip => clip(value).map(Value::Flag),
        Property::ClipPath => Some(Value::Flag(clip_path_is_empty(value))),
        Property::Left | Property::Top | Property::Right | Property::Margin | Property::TextIndent => {
            let (number, unit) = first_number(value).unwrap_or((0.0, ""));
            Some(Value::Flag(pixels(number, unit) <= FAR))
        }
        Property::Width | Property::Height => {
            let tiny = first_number(value).is_some_and(|(number, unit)| number >= 0.0 && pixels(number, unit) <= 1.0);
            Some(Value::Flag(tiny))
        }
        Property::Overflow => {
            Some(Value::Flag(value.split_ascii_whitespace().any(|word| matches_any(word, &["hidden", "clip"]))))
        }
        Property::FontSize => Some(Value::Flag(first_number(value).is_some_and(|(number, _)| number == 0.0))),
        Property::Transform => Some(Value::Flag(transform_hides(name, value))),
        Property::FlexDirection => {
            let column = |word| matches_any(word, &["column", "column-reverse"]);
            Some(Value::Flag(value.split_ascii_whitespace().any(column)))
        }
        Property::GridColumns => Some(Value::Flag(has_several_tracks(value))),
    }
}

/// Whether a list of grid tracks has more than one: `auto 1fr`, `repeat(3, 1fr)`.
fn has_several_tracks(value: &str) -> bool {
    let mut depth = 0usize;
    let tracks = value.split(|character: char| {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && character.is_ascii_whitespace()
    });
    let tracks = tracks.map(str::trim).filter(|track| !track.is_empty() && !track.starts_with('['));
    let count = |track: &str| match track.split_once("repeat(") {
        Some((_, rest)) => {
            if rest.trim_start().starts_with("1,") {
                1
            } else {
                2
            }
        }
        None => 1,
    };
    tracks.map(count).take(2).sum::<usize>() > 1
}

/// Farther to the left or top than this, nothing shows of what is not itself that large.
const FAR: f32 = -500.0;

/// Writes comments as spaces and escapes as the characters that they stand for.
fn normalise(value: &str) -> String {
    let mut written = String::with_capacity(value.len());
    let mut input = CssParser::new(value);
    while let Ok(token) = input.next_including_whitespace_and_comments() {
        match token {
            Token::Comment(_) => written.push(' '),
            Token::Ident(word) => written.push_str(word),
            Token::Function(word) => {
                written.push_str(word);
                written.push('(');
                let start = input.position();
                let skipped: Result<(), cssparser::ParseError<()>> = input.parse_nested_block(|input| {
                    while input.next().is_ok() {}
                    Ok(())
                });
                if skipped.is_err() {
                    return written;
                }
                written.push_str(input.slice_from(start));
            }
            other => {
                let is_block =
                    matches!(other, Token::ParenthesisBlock | Token::SquareBracketBlock | Token::CurlyBracketBlock);
                if is_block || cssparser::ToCss::to_css(other, &mut written).is_err() {
                    return written;
                }
            }
        }
    }
    written
}

fn contains_ignore_case(value: &str, wanted: &str) -> bool {
    value.as_bytes().windows(wanted.len()).any(|window| window.eq_ignore_ascii_case(wanted.as_bytes()))
}

fn matches_any(word: &str, words: &[&str]) -> bool {
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

fn wide_keyword(value: &str) -> Option<WideKeyword> {
    let keywords = [
        ("initial", WideKeyword::Initial),
        ("inherit", WideKeyword::Inherit),
        ("unset", WideKeyword::Unset),
        ("revert", WideKeyword::Revert),
        ("revert-layer", WideKeyword::Revert),
    ];
    keywords.into_iter().find(|(word, _)| word.eq_ignore_ascii_case(value)).map(|(_, keyword)| keyword)
}

fn keyword(value: &str, keywords: &[(&str, bool)]) -> Option<Value> {
    keywords.iter().find(|(word, _)| word.eq_ignore_ascii_case(value)).map(|&(_, flag)| Value::Flag(flag))
}

/// CSS Display 3; of two-value forms the outer and inner type, with `list-item` anywhere.
fn display(value: &str) -> Option<DisplayValue> {
    let plain = |display| Some(DisplayValue { display, inside: Inside::Flow });
    let inside = if contains_ignore_case(value, "grid") { Inside::Grid } else { Inside::Flex };
    let container = |display| Some(DisplayValue { display, inside });
    cssparser::match_ignore_ascii_case! { value,
        "none" => return plain(Display::None),
        "contents" => return plain(Display::Contents),
        "inline" => return plain(Display::Inline),
        "block" | "flow-root" | "list-item" | "table" | "table-row" | "table-row-group" | "table-header-group"
        | "table-footer-group" | "table-caption" | "table-column" | "table-column-group" | "-webkit-box" => {
            return plain(Display::Block);
        },
        "table-cell" => return plain(Display::TableCell),
        "inline-block" | "inline-table" | "-webkit-inline-box" => return plain(Display::InlineBlock),
        "flex" | "grid" | "-webkit-flex" => return container(Display::Block),
        "inline-flex" | "inline-grid" | "-webkit-inline-flex" => return container(Display::InlineBlock),
        "math" | "ruby" | "ruby-text" => return plain(Display::Inline),
        _ => {},
    }
    let words: Vec<&str> = value.split_ascii_whitespace().collect();
    if !(2..=3).contains(&words.len()) {
        return None;
    }
    const OUTER: &[&str] = &["block", "inline"];
    const INNER: &[&str] = &["flow", "flow-root", "table", "flex", "grid", "ruby", "math"];
    if !words
        .iter()
        .all(|word| matches_any(word, OUTER) || matches_any(word, INNER) || matches_any(word, &["list-item"]))
    {
        return None;
    }
    let has = |wanted: &[&str]| words.iter().any(|word| matches_any(word, wanted));
    let inside = if has(&["flex", "grid"]) { inside } else { Inside::Flow };
    let display = match (has(&["inline"]), has(&["flow-root", "table", "flex", "grid"])) {
        (true, true) => Display::InlineBlock,
        (true, false) => Display::Inline,
        _ if has(&["ruby", "math"]) && !has(&["block"]) => Display::Inline,
        _ => Display::Block,
    };
    Some(DisplayValue { display, inside })
}

/// CSS UI 4: images, then a keyword.
fn cursor(value: &str) -> Option<bool> {
    const CURSORS: &[&str] = &[
        "auto",
        "default",
        "none",
        "context-menu",
        "help",
        "pointer",
        "progress",
        "wait",
        "cell",
        "crosshair",
        "text",
        "vertical-text",
        "alias",
        "copy",
        "move",
        "no-drop",
        "not-allowed",
        "grab",
        "grabbing",
        "e-resize",
        "n-resize",
        "ne-resize",
        "nw-resize",
        "s-resize",
        "se-resize",
        "sw-resize",
        "w-resize",
        "ew-resize",
        "ns-resize",
        "nesw-resize",
        "nwse-resize",
        "col-resize",
        "row-resize",
        "all-scroll",
        "zoom-in",
        "zoom-out",
        "-webkit-grab",
        "-webkit-grabbing",
        "-webkit-zoom-in",
        "-webkit-zoom-out",
    ];
    let last = value.rsplit(',').next().unwrap_or(value).trim();
    matches_any(last, CURSORS).then(|| last.eq_ignore_ascii_case("pointer"))
}

fn pointer_events(value: &str) -> Option<bool> {
    const OTHERS: &[&str] = &[
        "auto",
        "visiblepainted",
        "visiblefill",
        "visiblestroke",
        "visible",
        "painted",
        "fill",
        "stroke",
        "all",
        "bounding-box",
    ];
    if value.eq_ignore_ascii_case("none") {
        return Some(true);
    }
    matches_any(value, OTHERS).then_some(false)
}

/// CSS Text 4, both `white-space` and its longhand.
fn white_space(value: &str) -> Option<WhiteSpace> {
    let mut found = WhiteSpace::Collapse;
    for word in value.split_ascii_whitespace() {
        found = cssparser::match_ignore_ascii_case! { word,
            "pre" | "pre-wrap" | "break-spaces" | "preserve" | "-moz-pre-wrap" => WhiteSpace::Preserve,
            "pre-line" | "preserve-breaks" => WhiteSpace::PreserveBreaks,
            "normal" | "nowrap" | "collapse" | "wrap" => found,
            _ => return None,
        };
    }
    Some(found)
}

fn position(value: &str) -> Option<Position> {
    cssparser::match_ignore_ascii_case! { value,
        "static" => Some(Position::Static),
        "relative" | "sticky" | "-webkit-sticky" => Some(Position::Offset),
        "absolute" | "fixed" => Some(Position::OutOfFlow),
        _ => None,
    }
}

/// Stands before an attribute's name, behind it, and behind what is to be written when the
/// element does not have the attribute, in a text of `content`; no style sheet can hold a NUL.
const ATTRIBUTE: char = '\0';

/// The strings of `content`, in order, with the names of the attributes to put between them; of
/// an image its alternative text (CSS Content 3).
fn content(value: &str, texts: &mut Texts) -> Option<Value> {
    if matches_any(value, &["none", "normal"]) {
        return Some(Value::Content(None));
    }
    let mut text = String::new();
    let mut alternative: Option<String> = None;
    let mut input = CssParser::new(value);
    while let Ok(token) = input.next() {
        let target = alternative.as_mut().unwrap_or(&mut text);
        match token {
            Token::QuotedString(string) => target.push_str(string),
            Token::Delim('/') => alternative = Some(String::new()),
            Token::Ident(word)
                if matches_any(word, &["open-quote", "close-quote", "no-open-quote", "no-close-quote"]) =>
            {
                match word.as_ref() {
                    "open-quote" => target.push('\u{201c}'),
                    "close-quote" => target.push('\u{201d}'),
                    _ => {}
                }
            }
            Token::Function(function) if function.eq_ignore_ascii_case("attr") => {
                let (name, fallback) = input.parse_nested_block(attribute).ok()?;
                for part in [name.as_str(), fallback.as_str()] {
                    target.push(ATTRIBUTE);
                    target.push_str(part);
                }
                target.push(ATTRIBUTE);
            }
            // Counters, images and gradients.
            Token::Function(_) | Token::UnquotedUrl(_) => {}
            _ => return None,
        }
    }
    let text = alternative.unwrap_or(text);
    Some(Value::Content(Some(texts.add(&text))))
}

/// The arguments of `attr()`: a name, a type that is of no interest, a fallback (CSS Values 5).
fn attribute(input: &mut CssParser<'_>) -> Result<(String, String), cssparser::ParseError<()>> {
    let name = input.expect_ident()?.to_ascii_lowercase();
    let mut fallback = String::new();
    let mut is_behind_comma = false;
    while let Ok(token) = input.next() {
        match token {
            Token::Comma => is_behind_comma = true,
            Token::QuotedString(string) if is_behind_comma => fallback.push_str(string),
            _ => {}
        }
    }
    Ok((name, fallback))
}

/// A text of `content` with the values of the attributes that it names.
pub(super) fn fill_attributes<'page>(text: &str, value: impl Fn(&str) -> Option<&'page str>) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut pieces = text.split(ATTRIBUTE);
    filled.push_str(pieces.next().unwrap_or(""));
    while let (Some(name), Some(fallback), Some(after)) = (pieces.next(), pieces.next(), pieces.next()) {
        filled.push_str(value(name).unwrap_or(fallback));
        filled.push_str(after);
    }
    filled
}

/// The first number of the value with its unit; percentages have the unit `%`.
fn first_number(value: &str) -> Option<(f32, &'static str)> {
    let mut input = CssParser::new(value);
    match input.next().ok()? {
        Token::Number { value, .. } => Some((*value, "")),
        Token::Percentage { unit_value, .. } => Some((*unit_value * 100.0, "%")),
        Token::Dimension { value, unit, .. } => {
            let known = ["px", "em", "rem", "ex", "ch", "vw", "vh", "in", "cm", "mm", "pt", "pc"];
            let unit = known.into_iter().find(|known| known.eq_ignore_ascii_case(unit)).unwrap_or("px");
            Some((*value, unit))
        }
        _ => None,
    }
}

/// A length in pixels, with fonts of the usual size and the viewport that queries assume.
pub(super) fn pixels(number: f32, unit: &str) -> f32 {
    number
        * match unit {
            "em" | "rem" => 16.0,
            "ex" | "ch" => 8.0,
            "vw" => super::VIEWPORT_WIDTH / 100.0,
            "vh" => super::VIEWPORT_HEIGHT / 100.0,
            "in" => 96.0,
            "cm" => 96.0 / 2.54,
            "mm" => 96.0 / 25.4,
            "pt" => 96.0 / 72.0,
            "pc" => 16.0,
            _ => 1.0,
        }
}

/// `rect(0 0 0 0)`, `rect(1px, 1px, 1px, 1px)`: a rectangle without area.
fn clip(value: &str) -> Option<bool> {
    if value.eq_ignore_ascii_case("auto") {
        return Some(false);
    }
    let inner = value.get(.."rect(".len()).filter(|start| start.eq_ignore_ascii_case("rect("))?;
    let inner = value.get(inner.len()..)?.strip_suffix(')')?;
    let sides: Vec<Option<f32>> = inner
        .split([',', ' ', '\t', '\n'])
        .filter(|side| !side.is_empty())
        .map(|side| first_number(side).map(|(number, unit)| pixels(number, unit)))
        .collect();
    let [top, right, bottom, left] = sides.as_slice() else { return None };
    let closed =
        |start: &Option<f32>, end: &Option<f32>| matches!((start, end), (Some(start), Some(end)) if end - start <= 1.0);
    Some(closed(top, bottom) || closed(left, right))
}

/// `inset(50%)`, `inset(100%)`, `circle(0)`.
fn clip_path_is_empty(value: &str) -> bool {
    let Some((function, arguments)) = value.split_once('(') else { return false };
    let Some((number, unit)) = first_number(arguments.trim_end_matches(')')) else { return false };
    cssparser::match_ignore_ascii_case! { function,
        "inset" => unit == "%" && number >= 50.0,
        "circle" | "ellipse" => number == 0.0,
        _ => false,
    }
}

/// `scale(0)`, `translateX(-9999px)`.
fn transform_hides(name: &str, value: &str) -> bool {
    if name.eq_ignore_ascii_case("scale") {
        return first_number(value).is_some_and(|(number, _)| number == 0.0);
    }
    value.split(')').any(|call| {
        let Some((function, arguments)) = call.split_once('(') else { return false };
        let Some((number, unit)) = first_number(arguments) else { return false };
        cssparser::match_ignore_ascii_case! { function.trim(),
            "scale" | "scalex" | "scaley" | "scale3d" => number == 0.0,
            "translate" | "translatex" | "translatey" | "translate3d" => unit != "%" && pixels(number, unit) <= FAR,
            _ => false,
        }
    })
}
