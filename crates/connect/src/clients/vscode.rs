//! VS Code, and its Insiders and free builds where it is not there. It reads
//! comments and trailing commas, and the file whenever it changes.

use crate::description::{
    Base, ByteOrderMark, Description, Link, On, Place, Rules, Running, Shape, Sign,
};
use crate::text::{Format, Json};
use ozbrain_core::views::clients::AfterChange;

pub(crate) const CLIENT: Description = Description {
    id: "vscode",
    name: "VS Code",
    places: &[
        Place::new(On::Every, Base::App, "Code/User/mcp.json").claimed_by("Code/User"),
        Place::new(On::Every, Base::App, "Code - Insiders/User/mcp.json")
            .claimed_by("Code - Insiders/User")
            .linked_by("vscode-insiders"),
        Place::new(
            On::Linux,
            Base::Home,
            ".var/app/com.visualstudio.code/config/Code/User/mcp.json",
        )
        .claimed_by(".var/app/com.visualstudio.code/config/Code/User")
        .in_flatpak(),
        Place::new(On::Every, Base::App, "VSCodium/User/mcp.json")
            .claimed_by("VSCodium/User")
            .linked_by("vscodium"),
    ],
    signs: &[
        Sign::Path(On::Every, Base::App, "Code"),
        Sign::Path(On::Every, Base::App, "Code - Insiders"),
        Sign::Path(On::Every, Base::App, "VSCodium"),
        Sign::Path(On::Linux, Base::Home, ".var/app/com.visualstudio.code"),
        Sign::Path(On::MacOs, Base::Root, "Applications/Visual Studio Code.app"),
        Sign::Path(
            On::Windows,
            Base::LocalAppData,
            "Programs/Microsoft VS Code",
        ),
        Sign::Command("code"),
        Sign::Command("code-insiders"),
        Sign::Command("codium"),
    ],
    format: Format::Json(Json::LENIENT),
    container: "servers",
    shape: Shape::Typed,
    mark: ByteOrderMark::Stays,
    after: AfterChange::Nothing,
    running: Running::Fine,
    link: Some(Link::VsCode),
    bundle: None,
    rules: Some(Rules {
        front: Some("---\napplyTo: \"**\"\n---\n\n"),
        ..Rules::at(&[
            Place::new(
                On::Every,
                Base::App,
                "Code/User/prompts/ozbrain.instructions.md",
            )
            .claimed_by("Code/User"),
            Place::new(
                On::Every,
                Base::App,
                "Code - Insiders/User/prompts/ozbrain.instructions.md",
            )
            .claimed_by("Code - Insiders/User"),
            Place::new(
                On::Linux,
                Base::Home,
                ".var/app/com.visualstudio.code/config/Code/User/prompts/ozbrain.instructions.md",
            )
            .claimed_by(".var/app/com.visualstudio.code/config/Code/User"),
            Place::new(
                On::Every,
                Base::App,
                "VSCodium/User/prompts/ozbrain.instructions.md",
            )
            .claimed_by("VSCodium/User"),
        ])
    }),
};
