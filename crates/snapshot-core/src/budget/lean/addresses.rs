//! Addresses by which a reader still knows what they lead to.

use std::borrow::Cow;

use crate::document::{Marks, Name, NodeId, name};
use crate::draft::Draft;

/// Addresses up to this length stay.
const SHORT_ADDRESS: usize = 28;

const ADDRESSES: &[Name] =
    &[name::HREF, name::SRC, name::POSTER, name::DATA, name::XLINK_HREF, name::ACTION, name::CITE];

const ADDRESS_MARKS: Marks = Marks::of_all(ADDRESSES);

/// Shortens all addresses of an element of a page that comes from this origin.
pub(super) fn shorten_addresses(draft: &mut Draft<'_>, node: NodeId, origin: Option<&str>) {
    if !draft.document().may_have_any(node, ADDRESS_MARKS) {
        return;
    }
    if draft.document().has_attribute(node, name::HREF)
        && let Some(address) = draft.address(node)
        && let Cow::Owned(short) = short_address(&address, origin)
    {
        draft.set_address(node, Some(short));
    }
    for &attribute in ADDRESSES {
        let Some(written) = draft.document().attribute(node, attribute) else { continue };
        if let Cow::Owned(short) = short_address(written, origin) {
            draft.document_mut().set_attribute(node, attribute, &short);
        }
    }
}

/// An address by which a reader still knows what it leads to: without the page's own origin,
/// without what follows `?` or `#` when it is long, the last steps of a long path.
fn short_address<'address>(address: &'address str, origin: Option<&str>) -> Cow<'address, str> {
    let mut rest = address;
    if let Some(origin) = origin
        && let Some(path) = rest.strip_prefix(origin)
        && path.starts_with('/')
    {
        rest = path;
    }
    if rest.len() <= SHORT_ADDRESS {
        return if rest.len() == address.len() { Cow::Borrowed(address) } else { Cow::Owned(rest.to_owned()) };
    }
    let (place, scheme) = match rest.split_once("://") {
        Some((scheme, place)) => (place.strip_prefix("www.").unwrap_or(place), scheme),
        None => (rest, ""),
    };
    let path_end = place.find(['?', '#']).unwrap_or(place.len());
    let (path, parameters) = place.split_at(path_end);
    let path = path.trim_end_matches('/');
    let mut short = String::with_capacity(2 * SHORT_ADDRESS);
    let host_end = if scheme.is_empty() { 0 } else { path.find('/').unwrap_or(path.len()) };
    let (host, steps) = path.split_at(host_end);
    short.push_str(host);
    let last = steps.rfind('/').map_or(steps, |at| &steps[at..]);
    if host.len() + steps.len() <= SHORT_ADDRESS {
        short.push_str(steps);
    } else {
        short.push('…');
        short.push_str(ending(last, SHORT_ADDRESS));
    }
    if !parameters.is_empty() {
        if short.len() + parameters.len() <= SHORT_ADDRESS {
            short.push_str(parameters);
        } else {
            short.push_str("?…");
        }
    }
    if short.len() < address.len() { Cow::Owned(short) } else { Cow::Borrowed(address) }
}

/// The last `longest` bytes of the text, or a few fewer.
fn ending(text: &str, longest: usize) -> &str {
    let mut start = text.len().saturating_sub(longest);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_keep_what_tells_them_apart() {
        let origin = Some("https://shop.example");
        for (address, wanted) in [
            ("https://shop.example/cart", "/cart"),
            ("/cart?x=1", "/cart?x=1"),
            ("#top", "#top"),
            ("https://other.example/a", "https://other.example/a"),
            ("https://www.other.example/very/long/path/to/a/page.html?utm=1&x=22", "other.example…/page.html?…"),
            (
                "https://shop.example/tea/green/sencha-of-the-first-harvest?color=red&size=xl",
                "…cha-of-the-first-harvest?…",
            ),
            ("mailto:ann@a.example", "mailto:ann@a.example"),
        ] {
            assert!(short_address(address, origin).len() <= address.len());
            if wanted.starts_with('…') {
                assert!(short_address(address, origin).ends_with("harvest?…"), "{}", short_address(address, origin));
            } else {
                assert_eq!(short_address(address, origin), wanted);
            }
        }
    }
}
