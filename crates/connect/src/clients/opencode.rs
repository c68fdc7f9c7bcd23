//! opencode. It reads comments and trailing commas, in either file.

use crate::description::{
    Base, ByteOrderMark, Description, On, Place, Rules, Running, Shape, Sign,
};
use crate::text::{Format, Json};
use ozbrain_core::views::clients::AfterChange;

pub(crate) const CLIENT: Description = Description {
    id: "opencode",
    name: "opencode",
    places: &[
        Place::new(On::Every, Base::Xdg, "opencode/opencode.json"),
        Place::new(On::Every, Base::Xdg, "opencode/opencode.jsonc"),
    ],
    signs: &[
        Sign::Path(On::Every, Base::Xdg, "opencode"),
        Sign::Path(On::Every, Base::Home, ".opencode"),
        Sign::Command("opencode"),
    ],
    format: Format::Json(Json::LENIENT),
    container: "mcp",
    shape: Shape::Local,
    mark: ByteOrderMark::Goes,
    after: AfterChange::NewSession,
    running: Running::Fine,
    link: None,
    bundle: None,
    rules: Some(Rules {
        // Without a file of its own it reads that of Claude Code.
        instead_of: Some(&Place::new(On::Every, Base::Home, ".claude/CLAUDE.md")),
        ..Rules::at(&[Place::new(On::Every, Base::Xdg, "opencode/AGENTS.md")])
    }),
};
