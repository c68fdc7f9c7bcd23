//! Junie, in JetBrains' editors and on the command line.

use crate::description::{Base, ByteOrderMark, Description, On, Place, Running, Shape, Sign};
use crate::text::{Format, Json};
use ozbrain_core::views::clients::AfterChange;

pub(crate) const CLIENT: Description = Description {
    id: "junie",
    name: "Junie",
    places: &[Place::new(On::Every, Base::Home, ".junie/mcp/mcp.json")],
    signs: &[
        Sign::Path(On::Every, Base::Home, ".junie"),
        Sign::Command("junie"),
    ],
    format: Format::Json(Json::STRICT),
    container: "mcpServers",
    shape: Shape::Plain,
    mark: ByteOrderMark::Goes,
    after: AfterChange::NewSession,
    running: Running::Fine,
    link: None,
    bundle: None,
    rules: None,
};
