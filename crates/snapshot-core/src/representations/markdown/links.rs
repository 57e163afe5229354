//! Where links and images lead: which addresses may be written, and how.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::document::{Document, Name, NodeId, name};
use crate::page::Page;
use crate::representations::{UrlPolicy, View};
use crate::text::bytes::{self, ByteSet};
use crate::text::spacing::MAY_BEGIN_SPACE;
use url::Url;

/// The link's destination ready for Markdown; `None` when it must not be written.
pub(super) fn destination<'page>(
    view: &View<'_>,
    short: &ShortUrls,
    node: NodeId,
    address: &'page str,
) -> Option<Cow<'page, str>> {
    let resolved = view.draft.page().resolve(node, address);
    if is_unsafe(&resolved) {
        return None;
    }
    let written = match view.options.urls {
        UrlPolicy::Relative => {
            let relative = view.draft.page().url().and_then(|base| relative(base, &resolved));
            relative.map_or(resolved, Cow::Owned)
        }
        UrlPolicy::Short => match short.shorten(&resolved) {
            Some(short) => Cow::Owned(short.to_owned()),
            None => resolved,
        },
        UrlPolicy::Full | UrlPolicy::Reference => resolved,
    };
    let escaped = match escape(&written) {
        Cow::Borrowed(_) => None,
        Cow::Owned(escaped) => Some(Cow::Owned(escaped)),
    };
    Some(escaped.unwrap_or(written))
}

/// Whether following the address would run something or hold the content itself. Browsers
/// ignore case, white space and control characters around and in a scheme.
pub(super) fn is_unsafe(address: &str) -> bool {
    const UNSAFE: &[&str] =
        &["javascript", "vbscript", "livescript", "data", "blob", "filesystem", "view-source", "about"];
    // Most are paths, and no scheme begins like one.
    if address.starts_with(['/', '#']) {
        return false;
    }
    let Some(colon) = memchr::memchr(b':', address.as_bytes()) else { return false };
    let scheme = &address[..colon];
    if matches!(scheme, "https" | "http") {
        return false;
    }
    let scheme: String = scheme
        .chars()
        .filter(|character| !character.is_control() && !character.is_whitespace())
        .take(16)
        .map(|character| character.to_ascii_lowercase())
        .collect();
    UNSAFE.contains(&scheme.as_str())
}

/// The address as Markdown writes it between parentheses: without white space, brackets of
/// tags and backticks (which would end it or begin something else), parentheses balanced.
pub(super) fn escape(address: &str) -> Cow<'_, str> {
    let Some(first) = bytes::find(address.as_bytes(), &MAY_BEGIN_ESCAPED) else { return Cow::Borrowed(address) };
    let mut depth = 0i32;
    let balanced = memchr::memchr2_iter(b'(', b')', address.as_bytes()).all(|at| {
        let byte = address.as_bytes()[at];
        depth += i32::from(byte == b'(') - i32::from(byte == b')');
        (0..32).contains(&depth)
    }) && depth == 0;
    let mut written = String::with_capacity(address.len());
    let mut plain = 0;
    let mut next = Some(first);
    while let Some(at) = next {
        let Some(character) = address[at..].chars().next() else { break };
        written.push_str(&address[plain..at]);
        plain = at + character.len_utf8();
        match character {
            '(' | ')' if !balanced => {
                written.push('\\');
                written.push(character);
            }
            '\\' => written.push_str("\\\\"),
            '<' => written.push_str("%3C"),
            '>' => written.push_str("%3E"),
            '`' => written.push_str("%60"),
            '&' if is_reference(&address[at + 1..]) => written.push_str("\\&"),
            _ if character <= ' ' || character.is_control() || character.is_whitespace() => {
                let mut encoded = [0; 4];
                for byte in character.encode_utf8(&mut encoded).bytes() {
                    written.push('%');
                    for half in [byte >> 4, byte & 15] {
                        written.push(char::from_digit(u32::from(half), 16).unwrap_or('0').to_ascii_uppercase());
                    }
                }
            }
            _ => written.push(character),
        }
        next = bytes::find(&address.as_bytes()[plain..], &MAY_BEGIN_ESCAPED).map(|found| plain + found);
    }
    written.push_str(&address[plain..]);
    Cow::Owned(written)
}

/// The first bytes in UTF-8 of what is escaped in addresses. Among them are those of all controls.
const MAY_BEGIN_ESCAPED: ByteSet = {
    let mut table = bytes::with(MAY_BEGIN_SPACE, b"()\\<>`&\x7f");
    let mut control = 0;
    while control <= b' ' {
        table[control as usize] = true;
        control += 1;
    }
    table
};

/// Whether `&` with this behind it would be read as a character reference.
fn is_reference(rest: &str) -> bool {
    let end = rest.bytes().take(33).position(|byte| byte == b';');
    end.is_some_and(|end| {
        let inside = rest.as_bytes()[..end].strip_prefix(b"#").unwrap_or(&rest.as_bytes()[..end]);
        !inside.is_empty() && inside.iter().all(u8::is_ascii_alphanumeric)
    })
}

/// The address relative to the page's own, when that is shorter.
fn relative(base: &Url, address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let relative = if url == *base && url.fragment().is_none() {
        base.path_segments()?.next_back()?.to_owned()
    } else {
        base.make_relative(&url)?
    };
    let same = base.join(&relative).is_ok_and(|joined| joined == url);
    (same && relative.len() < address.len() && !relative.is_empty()).then_some(relative)
}

/// Short forms of long addresses, which can be told back. The same address has the same short
/// form on every page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShortUrls {
    by_address: BTreeMap<String, String>,
    by_short: BTreeMap<String, String>,
}

/// How much of a query and fragment stays.
const KEPT: usize = 25;

impl ShortUrls {
    /// The short forms of the addresses of a page's links and images.
    pub fn of(page: &Page) -> Self {
        let mut table = Self::default();
        let document = page.document();
        for node in document.composed_descendants(NodeId::DOCUMENT).filter(|&node| document.is_element(node)) {
            for attribute in [name::HREF, name::XLINK_HREF, name::SRC, name::DATA_SRC] {
                if let Some(address) = document.attribute(node, attribute).filter(|address| address.len() > KEPT) {
                    table.add(page.resolve(node, address).into_owned());
                }
            }
        }
        table
    }

    /// The short form of an address of the page; `None` when it is written in full.
    pub fn shorten(&self, address: &str) -> Option<&str> {
        self.by_address.get(address).map(String::as_str)
    }

    /// The address that a short form stands for.
    pub fn restore(&self, short: &str) -> Option<&str> {
        self.by_short.get(short).map(String::as_str)
    }

    /// Short forms and the addresses they stand for.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.by_short.iter().map(|(short, address)| (short.as_str(), address.as_str()))
    }

    fn add(&mut self, address: String) {
        if is_unsafe(&address) || self.by_address.contains_key(&address) {
            return;
        }
        // Two addresses with one short form, which is very unlikely: the second stays long.
        if let Some(short) = short_form(&address).filter(|short| !self.by_short.contains_key(short)) {
            self.by_short.insert(short.clone(), address.clone());
            self.by_address.insert(address, short);
        }
    }
}

/// The address with its query and fragment cut to a beginning and a hash, if that is shorter.
fn short_form(address: &str) -> Option<String> {
    let tail = address.find(['?', '#'])?;
    let cut = address[tail..].char_indices().nth(KEPT).map(|(at, _)| tail + at)?;
    let short = format!("{}...{:07x}", &address[..cut], hash(address) & 0x0fff_ffff);
    (short.len() < address.len()).then_some(short)
}

/// FNV-1a, 64 bits folded to 32: the same on every machine and in every version.
fn hash(text: &str) -> u64 {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    hash ^ (hash >> 32)
}

/// The address of an image as a reader would get it: what scripts load later comes before a
/// placeholder, and of several sizes the largest.
pub(super) fn image_address(document: &Document, node: NodeId) -> Option<&str> {
    const LAZY: &[&str] = &["data-src", "data-original", "data-lazy-src", "data-lazy", "data-url", "data-hi-res-src"];
    let attribute = |name: Name| document.attribute(node, name).map(str::trim).filter(|value| !value.is_empty());
    let usable = |address: &&str| !is_unsafe(address);
    let named = |text: &&str| document.find_name(text).and_then(attribute).filter(usable);
    let sets = ["srcset", "data-srcset", "data-lazy-srcset"];
    LAZY.iter()
        .find_map(named)
        .or_else(|| attribute(name::SRC).filter(usable))
        .or_else(|| sets.iter().find_map(|set| document.find_name(set).and_then(attribute)).and_then(largest_candidate))
}

/// The candidate of a `srcset` with the largest descriptor (HTML Standard, "srcset attribute").
fn largest_candidate(set: &str) -> Option<&str> {
    let mut best: Option<(u64, &str)> = None;
    for candidate in set.split(", ").flat_map(|part| part.split(",\n")) {
        let mut words = candidate.split_ascii_whitespace();
        let Some(address) = words.next().map(|address| address.trim_end_matches(',')) else { continue };
        let size = words
            .next()
            .and_then(|descriptor| descriptor.get(..descriptor.len().saturating_sub(1)))
            .and_then(|number| number.parse::<f64>().ok())
            .filter(|number| number.is_finite() && *number >= 0.0);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be finite and positive")]
        let size = size.map_or(1, |size| (size * 1000.0) as u64);
        if !address.is_empty() && !is_unsafe(address) && best.is_none_or(|(largest, _)| size > largest) {
            best = Some((size, address));
        }
    }
    best.map(|(_, address)| address)
}
