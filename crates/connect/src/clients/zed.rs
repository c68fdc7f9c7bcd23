//! Zed. It reads comments and trailing commas, and the file whenever it
//! changes. On macOS its file is in ~/.config, not in Application Support.

use crate::description::{
    Base, ByteOrderMark, Description, On, Place, Rules, Running, Shape, Sign,
};
use crate::text::{Format, Json};
use ozbrain_core::views::clients::AfterChange;

pub(crate) const CLIENT: Description = Description {
    id: "zed",
    name: "Zed",
    places: &[
        Place::new(On::Windows, Base::App, "Zed/settings.json"),
        Place::new(On::MacOs, Base::Home, ".config/zed/settings.json"),
        Place::new(
            On::Linux,
            Base::Variable("FLATPAK_XDG_CONFIG_HOME"),
            "zed/settings.json",
        )
        .claimed_by("")
        .in_flatpak(),
        Place::new(On::Linux, Base::Xdg, "zed/settings.json"),
        Place::new(
            On::Linux,
            Base::Home,
            ".var/app/dev.zed.Zed/config/zed/settings.json",
        )
        .in_flatpak(),
    ],
    signs: &[
        Sign::Path(On::Windows, Base::App, "Zed"),
        Sign::Path(On::MacOs, Base::Home, ".config/zed"),
        Sign::Path(On::MacOs, Base::Root, "Applications/Zed.app"),
        Sign::Path(On::Linux, Base::Xdg, "zed"),
        Sign::Path(On::Linux, Base::Home, ".var/app/dev.zed.Zed"),
        Sign::Command("zed"),
        Sign::Command("zeditor"),
    ],
    format: Format::Json(Json::LENIENT),
    container: "context_servers",
    shape: Shape::Plain,
    mark: ByteOrderMark::Goes,
    after: AfterChange::Nothing,
    running: Running::Fine,
    link: None,
    bundle: None,
    rules: Some(Rules::at(&[
        Place::new(On::Windows, Base::App, "Zed/AGENTS.md"),
        Place::new(On::MacOs, Base::Home, ".config/zed/AGENTS.md"),
        Place::new(
            On::Linux,
            Base::Variable("FLATPAK_XDG_CONFIG_HOME"),
            "zed/AGENTS.md",
        )
        .claimed_by(""),
        Place::new(On::Linux, Base::Xdg, "zed/AGENTS.md").claimed_by("zed"),
        Place::new(
            On::Linux,
            Base::Home,
            ".var/app/dev.zed.Zed/config/zed/AGENTS.md",
        ),
    ])),
};
