//! The tools as agents see them: names, descriptions, schemas.
//!
//! Input schemas come from the shapes of `core` and are flattened for the
//! strictest clients: one plain type per argument, nothing nullable, no
//! references, no combinators. Output schemas name the properties, require
//! none and forbid none, because some clients check refusals against them too.

use ozbrain_core::shapes::{
    BrainsInput, BriefInput, ConfirmInput, FetchInput, HistoryInput, ResolveInput, RetireInput,
    SearchInput, TopicsInput, WriteInput,
};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde_json::{Map, Value, json};
use std::sync::{Arc, LazyLock};

/// A tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToolName {
    Brains,
    Topics,
    Search,
    Fetch,
    Brief,
    Write,
    Confirm,
    Resolve,
    History,
    Retire,
}

impl ToolName {
    /// The tools in the order in which they are listed.
    pub(crate) const ALL: [Self; 10] = [
        Self::Search,
        Self::Brief,
        Self::Fetch,
        Self::Write,
        Self::Confirm,
        Self::Resolve,
        Self::Retire,
        Self::History,
        Self::Topics,
        Self::Brains,
    ];

    /// The name that agents call.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Brains => "brains",
            Self::Topics => "topics",
            Self::Search => "search",
            Self::Fetch => "fetch",
            Self::Brief => "brief",
            Self::Write => "write",
            Self::Confirm => "confirm",
            Self::Resolve => "resolve",
            Self::History => "history",
            Self::Retire => "retire",
        }
    }

    /// Reads a name. `None` if it is no tool.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|name| name.as_str() == text)
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Brains => "List brains",
            Self::Topics => "List topics",
            Self::Search => "Search the memory",
            Self::Fetch => "Fetch a unit",
            Self::Brief => "Brief me",
            Self::Write => "Write a unit",
            Self::Confirm => "Confirm a unit",
            Self::Resolve => "Resolve a conflict",
            Self::History => "Show a unit's history",
            Self::Retire => "Retire a unit",
        }
    }

    /// When to use the tool.
    const fn description(self) -> &'static str {
        match self {
            Self::Brains => "Lists the brains you may use, with what needs attention in each.",
            Self::Topics => {
                "Lists topics with counts. Look here before you name a new topic, so that one \
                 subject has one name."
            }
            Self::Search => {
                "Finds what is known: ranked pointers, to fetch. Use it before you answer about \
                 people, clients, projects, decisions or preferences."
            }
            Self::Fetch => {
                "Reads one unit whole, with both sides if a conflict is open. Read a unit before \
                 you change it."
            }
            Self::Brief => {
                "Reads the best units on a topic or question whole, within a token budget: search \
                 and fetch in one call."
            }
            Self::Write => {
                "Stores one fact, or changes a unit. If the outcome is conflicted, you displaced \
                 what you had not seen: tell the person. If proposed, it waits for them."
            }
            Self::Confirm => {
                "Asks the person whether an aging or stale unit still holds, or records what they \
                 said. Never answer for them."
            }
            Self::Resolve => {
                "Settles a conflict as the person decided. Show them both sides first, and quote \
                 them."
            }
            Self::History => "Shows who wrote, confirmed and settled a unit, newest first.",
            Self::Retire => {
                "Takes a unit that no longer holds out of search. It can come back; nothing is \
                 erased."
            }
        }
    }

    fn annotations(self) -> ToolAnnotations {
        let hints = ToolAnnotations::new().open_world(false);
        match self {
            Self::Brains
            | Self::Topics
            | Self::Search
            | Self::Fetch
            | Self::Brief
            | Self::History => hints.read_only(true),
            // A write keeps what it displaces, and the same write again
            // changes nothing.
            Self::Write | Self::Confirm | Self::Resolve => hints
                .read_only(false)
                .destructive(false)
                .idempotent(matches!(self, Self::Write)),
            Self::Retire => hints.read_only(false).destructive(true).idempotent(true),
        }
    }

    fn input_schema(self) -> JsonObject {
        match self {
            Self::Brains => flat::<BrainsInput>(self),
            Self::Topics => flat::<TopicsInput>(self),
            Self::Search => flat::<SearchInput>(self),
            Self::Fetch => flat::<FetchInput>(self),
            Self::Brief => flat::<BriefInput>(self),
            Self::Write => flat::<WriteInput>(self),
            Self::Confirm => flat::<ConfirmInput>(self),
            Self::Resolve => flat::<ResolveInput>(self),
            Self::History => flat::<HistoryInput>(self),
            Self::Retire => flat::<RetireInput>(self),
        }
    }

    /// The reply's properties and their types.
    const fn output(self) -> &'static [(&'static str, &'static str)] {
        const OBJECTS: &str = "objects";
        match self {
            Self::Brains => &[("brains", OBJECTS)],
            Self::Topics => &[("topics", OBJECTS), ("left_out", "object")],
            Self::Search => &[
                ("results", OBJECTS),
                ("left_out", "object"),
                ("nearest_topics", OBJECTS),
            ],
            Self::Fetch => &[
                ("id", "string"),
                ("title", "string"),
                ("text", "string"),
                ("url", "string"),
                ("metadata", "object"),
            ],
            Self::Brief => &[
                ("units", OBJECTS),
                ("pointers", OBJECTS),
                ("left_out", "object"),
            ],
            Self::Write => &[
                ("outcome", "string"),
                ("brain", "string"),
                ("topic", "string"),
                ("title", "string"),
                ("id", "string"),
                ("revision", "integer"),
                ("displaced", "object"),
                ("conflict", "object"),
                ("similar", OBJECTS),
                ("notice", "string"),
            ],
            Self::Confirm => &[
                ("outcome", "string"),
                ("id", "string"),
                ("revision", "integer"),
                ("freshness", "string"),
                ("question", "string"),
                ("notice", "string"),
            ],
            Self::Resolve => &[
                ("outcome", "string"),
                ("id", "string"),
                ("revision", "integer"),
                ("conflicted", "boolean"),
                ("conflict", "object"),
            ],
            Self::History => &[
                ("id", "string"),
                ("revisions", OBJECTS),
                ("events", OBJECTS),
                ("left_out", "object"),
            ],
            Self::Retire => &[
                ("outcome", "string"),
                ("id", "string"),
                ("revision", "integer"),
                ("conflict", "object"),
                ("notice", "string"),
            ],
        }
    }

    fn output_schema(self) -> JsonObject {
        let properties: Map<String, Value> = self
            .output()
            .iter()
            .map(|&(name, kind)| {
                let schema = match kind {
                    "objects" => json!({"type": "array", "items": {"type": "object"}}),
                    plain => json!({"type": plain}),
                };
                (name.to_owned(), schema)
            })
            .collect();
        Map::from_iter([
            ("type".to_owned(), json!("object")),
            ("properties".to_owned(), Value::Object(properties)),
        ])
    }

    fn tool(self) -> Tool {
        Tool::new(self.as_str(), self.description(), self.input_schema())
            .with_title(self.title())
            .with_raw_output_schema(Arc::new(self.output_schema()))
            .with_annotations(self.annotations())
    }
}

/// All tools, in the order in which they are listed.
pub(crate) fn tools() -> &'static [Tool] {
    static TOOLS: LazyLock<Vec<Tool>> =
        LazyLock::new(|| ToolName::ALL.into_iter().map(ToolName::tool).collect());
    &TOOLS
}

/// A tool's input schema.
pub(crate) fn input_schema(name: ToolName) -> &'static JsonObject {
    static SCHEMAS: LazyLock<Vec<(ToolName, Arc<JsonObject>)>> = LazyLock::new(|| {
        let schemas = tools().iter().map(|tool| Arc::clone(&tool.input_schema));
        ToolName::ALL.into_iter().zip(schemas).collect()
    });
    static NONE: LazyLock<JsonObject> = LazyLock::new(Map::new);
    SCHEMAS
        .iter()
        .find(|(listed, _)| *listed == name)
        .map_or(&NONE, |(_, schema)| schema)
}

/// The bounds that the contract names. They are told here and kept by the use
/// cases.
fn bounds(tool: ToolName, argument: &str) -> (Option<u32>, Option<u32>) {
    match argument {
        "limit" if tool == ToolName::Search => (Some(1), Some(50)),
        "budget" => (Some(120), None),
        "fresh_for_days" => (Some(1), Some(3650)),
        "revision" | "base_revision" | "depth" | "limit" => (Some(1), None),
        _ => (None, None),
    }
}

/// The schema of an input type with one plain type per property.
fn flat<T: JsonSchema>(tool: ToolName) -> JsonObject {
    let schema = schemars::generate::SchemaSettings::draft2020_12()
        .into_generator()
        .into_root_schema_for::<T>();
    let mut schema = Value::from(schema);
    let properties: Map<String, Value> = schema
        .get_mut("properties")
        .and_then(Value::as_object_mut)
        .map(std::mem::take)
        .unwrap_or_default()
        .into_iter()
        .map(|(name, property)| {
            let flat = plain(tool, &name, &property);
            (name, Value::Object(flat))
        })
        .collect();
    let mut flat = Map::from_iter([
        ("type".to_owned(), json!("object")),
        ("properties".to_owned(), Value::Object(properties)),
        ("additionalProperties".to_owned(), json!(false)),
    ]);
    if let Some(required) = schema.get("required") {
        flat.insert("required".to_owned(), required.clone());
    }
    flat
}

/// One property with a plain type: of a nullable one the part that is not
/// null, of an enumeration its words.
fn plain(tool: ToolName, name: &str, property: &Value) -> JsonObject {
    let mut flat = Map::new();
    if let Some(description) = property.get("description") {
        flat.insert("description".to_owned(), description.clone());
    }
    let not_null = property
        .get("anyOf")
        .and_then(Value::as_array)
        .and_then(|parts| parts.iter().find(|part| part["type"] != "null"));
    let property = not_null.unwrap_or(property);
    let words: Vec<Value> = match (property.get("enum"), property.get("oneOf")) {
        (Some(Value::Array(words)), _) => words.iter().filter(|w| !w.is_null()).cloned().collect(),
        (_, Some(Value::Array(options))) => options
            .iter()
            .filter_map(|option| option.get("const").cloned())
            .collect(),
        _ => Vec::new(),
    };
    let kind = if words.is_empty() {
        match &property["type"] {
            Value::Array(kinds) => kinds.iter().find(|kind| *kind != "null").cloned(),
            kind => Some(kind.clone()),
        }
    } else {
        Some(json!("string"))
    };
    flat.insert("type".to_owned(), kind.unwrap_or_else(|| json!("string")));
    if !words.is_empty() {
        flat.insert("enum".to_owned(), Value::Array(words));
    }
    if flat["type"] == "array" {
        flat.insert("items".to_owned(), json!({"type": "string"}));
    }
    if flat["type"] == "integer" {
        let (least, most) = bounds(tool, name);
        if let Some(least) = least {
            flat.insert("minimum".to_owned(), json!(least));
        }
        if let Some(most) = most {
            flat.insert("maximum".to_owned(), json!(most));
        }
    }
    flat
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed() -> Value {
        serde_json::to_value(tools()).unwrap()
    }

    #[test]
    fn the_list_of_tools() {
        insta::assert_json_snapshot!(listed());
    }

    #[test]
    fn the_list_is_short() {
        let text = json!({"tools": listed()}).to_string();
        let tokens = ozbrain_core::text::count(&text);
        println!("tools/list: {tokens} tokens");
        assert!(tokens <= 2_500, "{tokens} tokens");
    }

    #[test]
    fn every_tool_is_listed_once() {
        for name in ToolName::ALL {
            assert_eq!(ToolName::parse(name.as_str()), Some(name));
            assert_eq!(
                tools().iter().filter(|t| t.name == name.as_str()).count(),
                1
            );
        }
        assert_eq!(tools().len(), 10);
    }

    /// What some client chokes on, anywhere in a schema.
    fn lint(path: &str, schema: &Value) {
        match schema {
            Value::Object(object) => {
                for (key, value) in object {
                    let here = format!("{path}/{key}");
                    assert!(
                        ![
                            "$ref", "$defs", "$schema", "anyOf", "oneOf", "allOf", "not", "const"
                        ]
                        .contains(&key.as_str()),
                        "{here}"
                    );
                    assert!(!(key == "default" && value.is_null()), "{here}");
                    assert!(!(key == "format" && value.is_string()), "{here}");
                    assert!(!(key == "type" && value.is_array()), "{here}");
                    assert!(key != "nullable", "{here}");
                    lint(&here, value);
                }
                if object.get("type") == Some(&json!("array")) {
                    assert!(object.contains_key("items"), "{path} has no items");
                }
            }
            Value::Array(items) => items.iter().for_each(|item| lint(path, item)),
            _ => {}
        }
    }

    #[test]
    fn schemas_are_what_the_strictest_client_takes() {
        for tool in tools() {
            let input = Value::Object((*tool.input_schema).clone());
            lint(&tool.name, &input);
            assert_eq!(input["type"], "object", "{}", tool.name);
            assert_eq!(input["additionalProperties"], false, "{}", tool.name);
            for (name, property) in input["properties"].as_object().unwrap() {
                assert!(property["type"].is_string(), "{}.{name}", tool.name);
                assert!(property["description"].is_string(), "{}.{name}", tool.name);
            }
            let output = Value::Object((**tool.output_schema.as_ref().unwrap()).clone());
            lint(&tool.name, &output);
            assert_eq!(output["type"], "object", "{}", tool.name);
            assert!(output.get("required").is_none(), "{}", tool.name);
            assert!(
                output.get("additionalProperties").is_none(),
                "{}",
                tool.name
            );
        }
    }

    #[test]
    fn what_a_tool_needs_is_required() {
        let required = |name| input_schema(name).get("required").cloned();
        assert_eq!(required(ToolName::Search), None);
        assert_eq!(required(ToolName::Fetch), Some(json!(["id"])));
        assert_eq!(required(ToolName::Write), Some(json!(["brain"])));
        assert_eq!(
            required(ToolName::Resolve),
            Some(json!(["id", "version", "choice", "decision"]))
        );
    }
}
