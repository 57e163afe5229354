//! Computed values of one element, in eight bytes.

use super::declaration::{DisplayValue, Inside, Position, Value, WideKeyword};
use super::property::Property;
use super::{Concealment, Display, Style, WhiteSpace};

/// What is computed for an element; properties of one bit are flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Computed {
    pub(super) display: DisplayValue,
    pub(super) white_space: WhiteSpace,
    pub(super) position: Position,
    flags: u32,
}

/// A property that is asked one question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Flag {
    Invisible,
    ContentHidden,
    Pointer,
    NoPointerEvents,
    Floating,
    Transparent,
    Clipped,
    ClippedByPath,
    FarLeft,
    FarTop,
    FarRight,
    FarMargin,
    FarIndent,
    TinyWidth,
    TinyHeight,
    CutOff,
    NoFont,
    Transformed,
    Column,
    Columns,
}

impl Flag {
    #[inline]
    fn bit(self) -> u32 {
        1 << self as u8
    }

    fn of(property: Property) -> Option<Self> {
        Some(match property {
            Property::Visibility => Self::Invisible,
            Property::ContentVisibility => Self::ContentHidden,
            Property::Cursor => Self::Pointer,
            Property::PointerEvents => Self::NoPointerEvents,
            Property::Float => Self::Floating,
            Property::Opacity => Self::Transparent,
            Property::Clip => Self::Clipped,
            Property::ClipPath => Self::ClippedByPath,
            Property::Left => Self::FarLeft,
            Property::Top => Self::FarTop,
            Property::Right => Self::FarRight,
            Property::Margin => Self::FarMargin,
            Property::TextIndent => Self::FarIndent,
            Property::Width => Self::TinyWidth,
            Property::Height => Self::TinyHeight,
            Property::Overflow => Self::CutOff,
            Property::FontSize => Self::NoFont,
            Property::Transform => Self::Transformed,
            Property::FlexDirection => Self::Column,
            Property::GridColumns => Self::Columns,
            Property::Display | Property::WhiteSpace | Property::Content | Property::Position => return None,
        })
    }
}

impl Computed {
    /// The values that an element has of which nothing is said and around which nothing stands.
    pub(super) const INITIAL: Self = Self {
        display: DisplayValue { display: Display::Inline, inside: Inside::Flow },
        white_space: WhiteSpace::Collapse,
        position: Position::Static,
        flags: 0,
    };

    /// The values that an element below this one begins with.
    #[inline]
    pub(super) fn inherited(&self) -> Self {
        let inherited = Flag::Invisible.bit()
            | Flag::Pointer.bit()
            | Flag::NoPointerEvents.bit()
            | Flag::FarIndent.bit()
            | Flag::NoFont.bit();
        Self { white_space: self.white_space, flags: self.flags & inherited, ..Self::INITIAL }
    }

    #[inline]
    pub(super) fn has(&self, flag: Flag) -> bool {
        self.flags & flag.bit() != 0
    }

    pub(super) fn set(&mut self, flag: Flag, on: bool) {
        if on {
            self.flags |= flag.bit();
        } else {
            self.flags &= !flag.bit();
        }
    }

    /// Sets a property to a cascaded value. `initial` is the browser's own style for the element,
    /// `parent` the style of the element around it.
    pub(super) fn apply(&mut self, property: Property, value: Value, own: &Self, parent: &Self) {
        let from = match value {
            Value::Wide(WideKeyword::Initial) => Self::INITIAL,
            Value::Wide(WideKeyword::Inherit) => *parent,
            Value::Wide(WideKeyword::Revert) => *own,
            Value::Wide(WideKeyword::Unset) | Value::Unresolved(_) => {
                if property.is_inherited() {
                    *parent
                } else {
                    Self::INITIAL
                }
            }
            Value::Display(display) => return self.display = display,
            Value::WhiteSpace(white_space) => return self.white_space = white_space,
            Value::Position(position) => return self.position = position,
            Value::Flag(on) => {
                if let Some(flag) = Flag::of(property) {
                    self.set(flag, on);
                }
                return;
            }
            Value::Content(_) => return,
        };
        match property {
            Property::Display => self.display = from.display,
            Property::WhiteSpace => self.white_space = from.white_space,
            Property::Position => self.position = from.position,
            Property::Content => {}
            _ => {
                if let Some(flag) = Flag::of(property) {
                    self.set(flag, from.has(flag));
                }
            }
        }
    }

    /// Makes a box that is taken out of the text, or lies in a flex or grid container, a block
    /// (CSS Display 3, "blockification").
    pub(super) fn blockify(&mut self, parent: &Self, is_root: bool) {
        let display = &mut self.display;
        match display.display {
            Display::None => return,
            // Its children lie in the container around it.
            Display::Contents => {
                display.inside = parent.display.inside;
                if !is_root {
                    return;
                }
            }
            _ => {}
        }
        let out = self.position == Position::OutOfFlow || self.flags & Flag::Floating.bit() != 0;
        if out || is_root || parent.display.inside != Inside::Flow {
            display.display = Display::Block;
        }
    }

    #[inline]
    pub(super) fn style(&self) -> Style {
        Style {
            display: self.display.display,
            invisible: self.has(Flag::Invisible),
            cursor_pointer: self.has(Flag::Pointer),
            pointer_events_none: self.has(Flag::NoPointerEvents),
            content_hidden: self.has(Flag::ContentHidden),
            white_space: self.white_space,
            lays_in_row: match self.display.inside {
                Inside::Flow => false,
                Inside::Flex => !self.has(Flag::Column),
                Inside::Grid => self.has(Flag::Columns),
            },
            concealment: self.concealment(),
        }
    }

    #[inline]
    fn concealment(&self) -> Option<Concealment> {
        let placed = self.position != Position::Static;
        let out = self.position == Position::OutOfFlow;
        if self.has(Flag::Transparent) {
            Some(Concealment::Transparent)
        } else if (out && self.has(Flag::Clipped)) || self.has(Flag::ClippedByPath) {
            Some(Concealment::Clipped)
        } else if (self.has(Flag::TinyWidth) || self.has(Flag::TinyHeight)) && self.has(Flag::CutOff) {
            Some(Concealment::TinyBox)
        } else if (placed && (self.has(Flag::FarLeft) || self.has(Flag::FarTop)))
            || (out && self.has(Flag::FarRight))
            || self.has(Flag::FarMargin)
            || self.has(Flag::FarIndent)
        {
            Some(Concealment::OffScreen)
        } else if self.has(Flag::NoFont) || self.has(Flag::Transformed) {
            Some(Concealment::ZeroSize)
        } else {
            None
        }
    }
}
