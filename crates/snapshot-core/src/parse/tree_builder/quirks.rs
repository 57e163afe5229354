//! The doctype and the quirks mode that it asks for (13.2.6.4.1).

use super::{Mode, TreeBuilder};
use crate::document::{NodeId, QuirksMode};
use crate::parse::tokenizer::Doctype;

impl TreeBuilder {
    /// Takes up the doctype of the page.
    pub(super) fn insert_doctype(&mut self, doctype: &Doctype) {
        let name = doctype.name.as_deref().unwrap_or_default();
        let public_id = doctype.public_id.as_deref().unwrap_or_default();
        let system_id = doctype.system_id.as_deref().unwrap_or_default();
        let node = if public_id.is_empty() && system_id.is_empty() {
            self.document.create_doctype(name)
        } else {
            self.document.create_doctype(&format!("{name} \"{public_id}\" \"{system_id}\""))
        };
        self.document.append_new(self.root, node);
        self.set_quirks_mode(quirks_mode(doctype, self.srcdoc));
        self.mode = Mode::BeforeHtml;
    }

    /// Sets the mode of this run, and of the document if it is the outermost page.
    pub(super) fn set_quirks_mode(&mut self, mode: QuirksMode) {
        self.quirks_mode = mode;
        if self.root == NodeId::DOCUMENT {
            self.document.set_quirks_mode(mode);
        }
    }
}

fn quirks_mode(doctype: &Doctype, srcdoc: bool) -> QuirksMode {
    if doctype.force_quirks || doctype.name.as_deref() != Some("html") {
        return QuirksMode::Full;
    }
    if srcdoc {
        return QuirksMode::No;
    }
    let lowered = |identifier: &Option<String>| identifier.as_deref().map(str::to_ascii_lowercase);
    let (public_id, system_id) = (lowered(&doctype.public_id), lowered(&doctype.system_id));
    if system_id.as_deref() == Some("http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd") {
        return QuirksMode::Full;
    }
    let Some(public_id) = public_id else { return QuirksMode::No };
    let begins_with_any = |beginnings: &[&str]| beginnings.iter().any(|beginning| public_id.starts_with(beginning));
    if QUIRKY.contains(&public_id.as_str()) || begins_with_any(QUIRKY_BEGINNINGS) {
        QuirksMode::Full
    } else if begins_with_any(&["-//w3c//dtd xhtml 1.0 frameset//", "-//w3c//dtd xhtml 1.0 transitional//"]) {
        QuirksMode::Limited
    } else if begins_with_any(&["-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//"]) {
        if system_id.is_some() { QuirksMode::Limited } else { QuirksMode::Full }
    } else {
        QuirksMode::No
    }
}

/// Public identifiers of old pages, in lower case.
const QUIRKY: &[&str] = &["-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html"];

/// What the public identifiers of old pages begin with.
const QUIRKY_BEGINNINGS: &[&str] = &[
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//",
    "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//",
    "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//",
    "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//",
    "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//",
    "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//",
    "-//ietf//dtd html strict//",
    "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//",
    "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//",
    "-//w3c//dtd html 3.2 final//",
    "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
];
