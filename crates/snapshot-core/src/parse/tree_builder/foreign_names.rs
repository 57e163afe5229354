//! The names of SVG that are written with capitals, which tags do not keep (13.2.6.1).

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// The name of the SVG element whose tag has this name, where it is another one.
pub(super) fn svg_tag_name(lowered: &str) -> Option<&'static str> {
    static NAMES: LazyLock<FxHashMap<String, &'static str>> = LazyLock::new(|| by_lowered(TAGS));
    NAMES.get(lowered).copied()
}

/// The name of the SVG attribute that is written like this in a tag, where it is another one.
pub(super) fn svg_attribute_name(lowered: &str) -> Option<&'static str> {
    static NAMES: LazyLock<FxHashMap<String, &'static str>> = LazyLock::new(|| by_lowered(ATTRIBUTES));
    NAMES.get(lowered).copied()
}

fn by_lowered(names: &[&'static str]) -> FxHashMap<String, &'static str> {
    names.iter().map(|name| (name.to_ascii_lowercase(), *name)).collect()
}

const TAGS: &[&str] = &[
    "altGlyph",
    "altGlyphDef",
    "altGlyphItem",
    "animateColor",
    "animateMotion",
    "animateTransform",
    "clipPath",
    "feBlend",
    "feColorMatrix",
    "feComponentTransfer",
    "feComposite",
    "feConvolveMatrix",
    "feDiffuseLighting",
    "feDisplacementMap",
    "feDistantLight",
    "feDropShadow",
    "feFlood",
    "feFuncA",
    "feFuncB",
    "feFuncG",
    "feFuncR",
    "feGaussianBlur",
    "feImage",
    "feMerge",
    "feMergeNode",
    "feMorphology",
    "feOffset",
    "fePointLight",
    "feSpecularLighting",
    "feSpotLight",
    "feTile",
    "feTurbulence",
    "foreignObject",
    "glyphRef",
    "linearGradient",
    "radialGradient",
    "textPath",
];

const ATTRIBUTES: &[&str] = &[
    "attributeName",
    "attributeType",
    "baseFrequency",
    "baseProfile",
    "calcMode",
    "clipPathUnits",
    "diffuseConstant",
    "edgeMode",
    "filterUnits",
    "glyphRef",
    "gradientTransform",
    "gradientUnits",
    "kernelMatrix",
    "kernelUnitLength",
    "keyPoints",
    "keySplines",
    "keyTimes",
    "lengthAdjust",
    "limitingConeAngle",
    "markerHeight",
    "markerUnits",
    "markerWidth",
    "maskContentUnits",
    "maskUnits",
    "numOctaves",
    "pathLength",
    "patternContentUnits",
    "patternTransform",
    "patternUnits",
    "pointsAtX",
    "pointsAtY",
    "pointsAtZ",
    "preserveAlpha",
    "preserveAspectRatio",
    "primitiveUnits",
    "refX",
    "refY",
    "repeatCount",
    "repeatDur",
    "requiredExtensions",
    "requiredFeatures",
    "specularConstant",
    "specularExponent",
    "spreadMethod",
    "startOffset",
    "stdDeviation",
    "stitchTiles",
    "surfaceScale",
    "systemLanguage",
    "tableValues",
    "targetX",
    "targetY",
    "textLength",
    "viewBox",
    "viewTarget",
    "xChannelSelector",
    "yChannelSelector",
    "zoomAndPan",
];
