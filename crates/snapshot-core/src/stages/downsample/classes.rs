//! What downsampling may take away, and in which order: classes of elements and ratings, from
//! the tables published with D2Snap 2.0.0 and completed where they had nothing to say.

use crate::document::{Name, name};

/// Elements that only hold others together, with how much their name tells a reader. Of two that
/// are merged the higher rated stays.
pub(super) const CONTAINERS: &[(Name, f64)] = &[
    (name::ARTICLE, 0.95),
    (name::ASIDE, 0.85),
    (name::CENTER, 0.3),
    (name::DIV, 0.3),
    (name::FOOTER, 0.7),
    (name::HEADER, 0.75),
    (name::HGROUP, 0.5),
    (name::MAIN, 0.85),
    (name::NAV, 0.8),
    (name::SEARCH, 0.8),
    (name::SECTION, 0.9),
];

/// The rating of elements that a page has made up itself.
pub(super) const CUSTOM_ELEMENT: f64 = 0.3;

/// Elements without a meaning inside a line of text.
pub(super) const PLAIN_INLINE: &[Name] = &[name::SPAN, name::FONT];

/// Elements of text, which may hold containers that only arrange what is in them.
pub(super) const TEXT: &[Name] = &[
    name::ADDRESS,
    name::BLOCKQUOTE,
    name::B,
    name::CODE,
    name::DD,
    name::EM,
    name::FIGURE,
    name::FIGCAPTION,
    name::H1,
    name::H2,
    name::H3,
    name::H4,
    name::H5,
    name::H6,
    name::LI,
    name::P,
    name::SMALL,
    name::STRONG,
    name::TD,
    name::TH,
];

/// Elements that shape words in a line and are nothing without them.
pub(super) const PHRASES: &[Name] = &[
    name::ABBR,
    name::B,
    name::BDI,
    name::BDO,
    name::BIG,
    name::CITE,
    name::CODE,
    name::DEL,
    name::DFN,
    name::EM,
    name::FONT,
    name::I,
    name::INS,
    name::KBD,
    name::MARK,
    name::Q,
    name::S,
    name::SAMP,
    name::SMALL,
    name::SPAN,
    name::STRONG,
    name::SUB,
    name::SUP,
    name::TIME,
    name::TT,
    name::U,
    name::VAR,
];

/// How much an attribute tells a reader; those that are not listed tell nothing.
pub(super) fn attribute_rating(attribute: &str) -> f64 {
    match ATTRIBUTES.binary_search_by(|(listed, _)| (*listed).cmp(attribute)) {
        Ok(at) => ATTRIBUTES.get(at).map_or(0.0, |&(_, rating)| rating),
        Err(_) if attribute.starts_with("aria-") => ARIA,
        Err(_) => 0.0,
    }
}

const ARIA: f64 = 0.6;

/// Sorted by name.
const ATTRIBUTES: &[(&str, f64)] = &[
    ("accept", 0.4),
    ("accept-charset", 0.4),
    ("accesskey", 0.3),
    ("action", 0.4),
    ("alt", 0.9),
    ("autocapitalize", 0.3),
    ("autocomplete", 0.3),
    ("autofocus", 0.3),
    ("autoplay", 0.4),
    ("checked", 0.5),
    ("cite", 0.3),
    ("class", 0.7),
    ("content", 0.1),
    ("contenteditable", 0.3),
    ("controls", 0.4),
    ("coords", 0.3),
    ("data-uid", 1.0),
    ("datetime", 0.3),
    ("disabled", 0.5),
    ("download", 0.3),
    ("draggable", 0.3),
    ("dropzone", 0.3),
    ("enctype", 0.4),
    ("for", 0.5),
    ("form", 0.3),
    ("hidden", 0.1),
    ("href", 0.9),
    ("hreflang", 0.3),
    ("http-equiv", 0.1),
    ("id", 0.8),
    ("ismap", 0.3),
    ("label", 0.5),
    ("lang", 0.6),
    ("loop", 0.4),
    ("max", 0.5),
    ("maxlength", 0.5),
    ("media", 0.4),
    ("method", 0.4),
    ("min", 0.5),
    ("minlength", 0.5),
    ("multiple", 0.2),
    ("muted", 0.4),
    ("name", 0.3),
    ("novalidate", 0.2),
    ("pattern", 0.5),
    ("ping", 0.3),
    ("placeholder", 0.5),
    ("poster", 0.4),
    ("preload", 0.4),
    ("readonly", 0.5),
    ("rel", 0.4),
    ("required", 0.5),
    ("role", 0.6),
    ("selected", 0.2),
    ("shape", 0.3),
    ("size", 0.2),
    ("sizes", 0.4),
    ("spellcheck", 0.3),
    ("src", 0.8),
    ("srcset", 0.4),
    ("step", 0.5),
    ("style", 0.1),
    ("tabindex", 0.3),
    ("target", 0.4),
    ("title", 0.6),
    ("type", 0.3),
    ("usemap", 0.3),
    ("value", 0.5),
    ("wrap", 0.2),
    ("xlink:href", 0.9),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_found_by_exact_name_and_for_aria_by_prefix() {
        assert!(ATTRIBUTES.is_sorted_by_key(|&(name, _)| name));
        for (attribute, rating) in [
            ("href", 0.9),
            ("aria-label", 0.6),
            ("data-x", 0.0),
            ("data-uid", 1.0),
            ("onclick", 0.0),
            ("constructor", 0.0),
        ] {
            assert_eq!(attribute_rating(attribute).to_bits(), f64::to_bits(rating), "{attribute}");
        }
    }
}
