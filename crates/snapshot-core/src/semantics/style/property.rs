//! The properties that are read, and the names of CSS that set them.

/// A property that is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub(super) enum Property {
    Display,
    Visibility,
    ContentVisibility,
    Cursor,
    PointerEvents,
    WhiteSpace,
    Content,
    Position,
    Float,
    Opacity,
    Clip,
    ClipPath,
    Left,
    Top,
    Right,
    Margin,
    TextIndent,
    Width,
    Height,
    Overflow,
    FontSize,
    Transform,
    FlexDirection,
    GridColumns,
}

impl Property {
    /// The number of properties.
    pub(super) const COUNT: usize = Self::GridColumns as usize + 1;

    /// All of them, in order.
    pub(super) const ALL: [Self; Self::COUNT] = [
        Self::Display,
        Self::Visibility,
        Self::ContentVisibility,
        Self::Cursor,
        Self::PointerEvents,
        Self::WhiteSpace,
        Self::Content,
        Self::Position,
        Self::Float,
        Self::Opacity,
        Self::Clip,
        Self::ClipPath,
        Self::Left,
        Self::Top,
        Self::Right,
        Self::Margin,
        Self::TextIndent,
        Self::Width,
        Self::Height,
        Self::Overflow,
        Self::FontSize,
        Self::Transform,
        Self::FlexDirection,
        Self::GridColumns,
    ];

    /// The properties that a declaration of this name sets, shorthands resolved.
    pub(super) fn of_name(name: &str) -> &'static [Self] {
        cssparser::match_ignore_ascii_case! { name,
            "display" => &[Self::Display],
            "visibility" => &[Self::Visibility],
            "content-visibility" => &[Self::ContentVisibility],
            "cursor" => &[Self::Cursor],
            "pointer-events" => &[Self::PointerEvents],
            "white-space" | "white-space-collapse" => &[Self::WhiteSpace],
            "content" => &[Self::Content],
            "position" => &[Self::Position],
            "float" => &[Self::Float],
            "opacity" => &[Self::Opacity],
            "clip" => &[Self::Clip],
            "clip-path" | "-webkit-clip-path" => &[Self::ClipPath],
            "left" | "inset-inline-start" => &[Self::Left],
            "top" | "inset-block-start" => &[Self::Top],
            "right" | "inset-inline-end" => &[Self::Right],
            "inset" => &[Self::Top, Self::Left, Self::Right],
            "margin-left" | "margin-top" | "margin-inline-start" => &[Self::Margin],
            "text-indent" => &[Self::TextIndent],
            "width" | "inline-size" | "max-width" => &[Self::Width],
            "height" | "block-size" | "max-height" => &[Self::Height],
            "overflow" => &[Self::Overflow],
            "font-size" => &[Self::FontSize],
            "flex-direction" | "flex-flow" | "-webkit-flex-direction" => &[Self::FlexDirection],
            "grid-template-columns" => &[Self::GridColumns],
            "transform" | "scale" => &[Self::Transform],
            "all" => &Self::ALL,
            _ => &[],
        }
    }

    /// Whether the property can have another value than its initial one without a style sheet of
    /// the page or a `style` attribute: by the browser's own sheet, or by an attribute of SVG.
    pub(super) fn is_set_by_browsers(self) -> bool {
        matches!(
            self,
            Self::Display
                | Self::Visibility
                | Self::ContentVisibility
                | Self::Cursor
                | Self::PointerEvents
                | Self::WhiteSpace
                | Self::Content
                | Self::Position
                | Self::Opacity
        )
    }

    /// Whether an element without a declaration takes the value of the element around it.
    pub(super) fn is_inherited(self) -> bool {
        matches!(
            self,
            Self::Visibility
                | Self::Cursor
                | Self::PointerEvents
                | Self::WhiteSpace
                | Self::TextIndent
                | Self::FontSize
        )
    }

    /// The property's name in CSS.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Display => "display",
            Self::Visibility => "visibility",
            Self::ContentVisibility => "content-visibility",
            Self::Cursor => "cursor",
            Self::PointerEvents => "pointer-events",
            Self::WhiteSpace => "white-space",
            Self::Content => "content",
            Self::Position => "position",
            Self::Float => "float",
            Self::Opacity => "opacity",
            Self::Clip => "clip",
            Self::ClipPath => "clip-path",
            Self::Left => "left",
            Self::Top => "top",
            Self::Right => "right",
            Self::Margin => "margin-left",
            Self::TextIndent => "text-indent",
            Self::Width => "width",
            Self::Height => "height",
            Self::Overflow => "overflow",
            Self::FontSize => "font-size",
            Self::Transform => "transform",
            Self::FlexDirection => "flex-direction",
            Self::GridColumns => "grid-template-columns",
        }
    }
}
