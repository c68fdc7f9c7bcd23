//! Cline. Older versions keep the file with VS Code; newer ones move it.

use crate::description::{
    Base, ByteOrderMark, Description, On, Place, Rules, Running, Shape, Sign,
};
use crate::text::{Format, Json};
use ozbrain_core::views::clients::AfterChange;

pub(crate) const CLIENT: Description = Description {
    id: "cline",
    name: "Cline",
    places: &[
        Place::new(
            On::Every,
            Base::Variable("CLINE_DIR"),
            "data/settings/cline_mcp_settings.json",
        )
        .claimed_by(""),
        Place::new(
            On::Every,
            Base::Home,
            ".cline/data/settings/cline_mcp_settings.json",
        )
        .claimed_by(".cline/data"),
        Place::new(
            On::Every,
            Base::App,
            "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
        ),
    ],
    signs: &[
        Sign::Path(On::Every, Base::Home, ".cline/data"),
        Sign::Path(
            On::Every,
            Base::App,
            "Code/User/globalStorage/saoudrizwan.claude-dev",
        ),
        Sign::Path(
            On::Every,
            Base::Home,
            ".vscode/extensions/saoudrizwan.claude-dev-*",
        ),
        Sign::Command("cline"),
    ],
    format: Format::Json(Json::STRICT),
    container: "mcpServers",
    shape: Shape::Plain,
    mark: ByteOrderMark::Goes,
    after: AfterChange::Nothing,
    running: Running::Fine,
    link: None,
    bundle: None,
    rules: Some(Rules::at(&[
        Place::new(On::Every, Base::Variable("CLINE_DIR"), "rules/ozbrain.md").claimed_by(""),
        Place::new(On::Every, Base::Home, ".cline/rules/ozbrain.md").claimed_by(".cline/data"),
        Place::new(On::Every, Base::Home, "Documents/Cline/Rules/ozbrain.md"),
    ])),
};
