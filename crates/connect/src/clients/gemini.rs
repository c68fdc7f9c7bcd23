//! Gemini CLI. It reads comments, and fails at trailing commas and at a
//! byte-order mark.

use crate::description::{
    Base, ByteOrderMark, Description, On, Place, Rules, Running, Shape, Sign,
};
use crate::text::{Format, Json};
use ozbrain_core::views::clients::AfterChange;

pub(crate) const CLIENT: Description = Description {
    id: "gemini",
    name: "Gemini CLI",
    places: &[
        Place::new(
            On::Every,
            Base::Variable("GEMINI_CLI_HOME"),
            ".gemini/settings.json",
        )
        .claimed_by(""),
        Place::new(On::Every, Base::Home, ".gemini/settings.json"),
    ],
    // Not ~/.gemini alone: Antigravity has it too.
    signs: &[Sign::Command("gemini")],
    format: Format::Json(Json::COMMENTED),
    container: "mcpServers",
    shape: Shape::Plain,
    mark: ByteOrderMark::Goes,
    after: AfterChange::NewSession,
    running: Running::Fine,
    link: None,
    bundle: None,
    rules: Some(Rules::at(&[
        Place::new(
            On::Every,
            Base::Variable("GEMINI_CLI_HOME"),
            ".gemini/GEMINI.md",
        )
        .claimed_by(""),
        Place::new(On::Every, Base::Home, ".gemini/GEMINI.md"),
    ])),
};
