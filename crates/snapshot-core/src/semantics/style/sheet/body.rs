//! The inside of a style rule and of a `style` attribute: declarations, and in rules what is nested.

use cssparser::{
    AtRuleParser, BasicParseErrorKind, CowRcStr, DeclarationParser, ParseError, Parser as CssParser, ParserState,
    QualifiedRuleParser, RuleBodyItemParser, Token,
};

use super::{AtRule, CustomDeclaration, Failure, Parent, Reader};
use crate::semantics::style::declaration::{Declaration, Texts, parse_value, split_importance};
use crate::semantics::style::property::Property;

/// The inside of a style rule.
pub(super) struct Body<'reader, 'sheet> {
    pub(super) declarations: Vec<Declaration>,
    pub(super) custom: Vec<CustomDeclaration>,
    pub(super) reader: &'reader mut Reader<'sheet>,
}

/// Takes the value's text up to where the declaration ends; a block means that this is a nested
/// rule after all, unless the property is a custom one.
fn take_value<'i>(name: &str, input: &mut CssParser<'i>) -> Result<&'i str, Failure> {
    let start = input.position();
    let custom = name.starts_with("--");
    while let Ok(token) = input.next() {
        if !custom && matches!(token, Token::CurlyBracketBlock) {
            return Err(ParseError::from_basic_kind(BasicParseErrorKind::UnexpectedToken));
        }
    }
    Ok(input.slice_from(start))
}

/// Adds a declaration if its property matters.
pub(super) fn declare(
    name: &str,
    text: &str,
    texts: &mut Texts,
    declarations: &mut Vec<Declaration>,
    custom: &mut Vec<CustomDeclaration>,
) {
    if name.starts_with("--") {
        let (value, important) = split_importance(text);
        custom.push(CustomDeclaration { name: name.into(), value: value.into(), important });
        return;
    }
    let properties = Property::of_name(name);
    if properties.is_empty() {
        return;
    }
    let (value, important) = split_importance(text);
    for &property in properties {
        if let Some(value) = parse_value(property, name, value, texts) {
            declarations.push(Declaration { property, value, important });
        }
    }
}

impl<'i> DeclarationParser<'i> for Body<'_, '_> {
    type Declaration = ();
    type Error = ();

    fn parse_value(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut CssParser<'i>,
        _start: &ParserState,
    ) -> Result<(), Failure> {
        let text = take_value(&name, input)?;
        declare(&name, text, self.reader.texts, &mut self.declarations, &mut self.custom);
        Ok(())
    }
}

impl<'i> AtRuleParser<'i> for Body<'_, '_> {
    type Prelude = AtRule;
    type AtRule = ();
    type Error = ();

    fn parse_prelude(&mut self, name: CowRcStr<'i>, input: &mut CssParser<'i>) -> Result<AtRule, Failure> {
        self.reader.at_rule(&name, input)
    }

    fn rule_without_block(&mut self, rule: AtRule, _start: &ParserState) -> Result<(), ()> {
        self.reader.at_rule_without_block(rule)
    }

    fn parse_block(&mut self, rule: AtRule, _start: &ParserState, input: &mut CssParser<'i>) -> Result<(), Failure> {
        self.reader.at_rule_block(rule, input)
    }
}

impl<'i> QualifiedRuleParser<'i> for Body<'_, '_> {
    type Prelude = Option<Parent>;
    type QualifiedRule = ();
    type Error = ();

    fn parse_prelude(&mut self, input: &mut CssParser<'i>) -> Result<Self::Prelude, Failure> {
        QualifiedRuleParser::parse_prelude(self.reader, input)
    }

    fn parse_block(
        &mut self,
        prelude: Self::Prelude,
        start: &ParserState,
        input: &mut CssParser<'i>,
    ) -> Result<(), Failure> {
        QualifiedRuleParser::parse_block(self.reader, prelude, start, input)
    }
}

impl RuleBodyItemParser<'_, (), ()> for Body<'_, '_> {
    fn parse_declarations(&self) -> bool {
        true
    }

    fn parse_qualified(&self) -> bool {
        true
    }
}

/// The inside of a `style` attribute: declarations only.
pub(super) struct AttributeReader<'reader, 'sheet> {
    pub(super) reader: &'reader mut Reader<'sheet>,
}

impl<'i> DeclarationParser<'i> for AttributeReader<'_, '_> {
    type Declaration = ();
    type Error = ();

    fn parse_value(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut CssParser<'i>,
        _start: &ParserState,
    ) -> Result<(), Failure> {
        let Reader { sheet, texts, .. } = &mut *self.reader;
        declare(&name, take_value(&name, input)?, texts, &mut sheet.declarations, &mut sheet.custom);
        Ok(())
    }
}

impl AtRuleParser<'_> for AttributeReader<'_, '_> {
    type Prelude = ();
    type AtRule = ();
    type Error = ();
}

impl QualifiedRuleParser<'_> for AttributeReader<'_, '_> {
    type Prelude = ();
    type QualifiedRule = ();
    type Error = ();
}

impl RuleBodyItemParser<'_, (), ()> for AttributeReader<'_, '_> {
    fn parse_declarations(&self) -> bool {
        true
    }

    fn parse_qualified(&self) -> bool {
        false
    }
}
