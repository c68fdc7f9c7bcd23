//! Reading a tool's arguments from the JSON as it came, so that every refusal
//! has a code and names the argument.

use super::tools::{ToolName, input_schema};
use crate::Result;
use ozbrain_core::Refusal;
use rmcp::model::JsonObject;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Reads a tool's input.
///
/// Clients fill optional arguments with `null` or an empty text, and whole
/// numbers come as `10.0`: all that is read as it was meant.
///
/// # Errors
/// `invalid`, naming the argument.
pub(crate) fn read<T: DeserializeOwned>(
    tool: ToolName,
    arguments: Option<JsonObject>,
) -> Result<T> {
    let schema = input_schema(tool);
    let empty = Map::new();
    let known = schema
        .get("properties")
        .and_then(Value::as_object)
        .unwrap_or(&empty);
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let mut input = Map::new();
    let arguments = arguments.unwrap_or_default();
    // An empty body is a mistake that must be told, unless another text stands
    // in its place.
    let appends = arguments
        .get("append")
        .is_some_and(|text| !text.is_null() && text != "");
    let told = |name: &str| tool == ToolName::Write && name == "body" && !appends;
    for (name, value) in arguments {
        let Some(argument) = known.get(&name) else {
            return Err(Refusal::invalid(unknown(tool, &name, known)));
        };
        let optional = !required.contains(&name.as_str());
        let left_out = value.is_null() || (optional && value == "" && !told(&name));
        if !left_out {
            if !optional && value.as_str().is_some_and(|text| text.trim().is_empty()) {
                return Err(Refusal::invalid(format!("`{name}` is empty.")));
            }
            let value = checked(&name, value, argument).map_err(Refusal::invalid)?;
            input.insert(name, value);
        }
    }
    if let Some(missing) = required.iter().find(|name| !input.contains_key(**name)) {
        return Err(Refusal::invalid(format!(
            "`{missing}` is missing: `{}` needs {}.",
            tool.as_str(),
            listed(required.iter().copied())
        )));
    }
    serde_json::from_value(Value::Object(input))
        .map_err(|error| Refusal::invalid(format!("`{}`: {error}.", tool.as_str())))
}

fn unknown(tool: ToolName, name: &str, known: &Map<String, Value>) -> String {
    let name: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
    let tool = tool.as_str();
    if known.is_empty() {
        return format!("`{tool}` takes no arguments, so leave out `{name}`.");
    }
    format!(
        "`{tool}` has no argument `{name}`. It takes {}.",
        listed(known.keys().map(String::as_str))
    )
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// A value of the argument's type, or what it must be.
fn checked(name: &str, value: Value, schema: &Value) -> Result<Value, String> {
    match schema["type"].as_str() {
        Some("integer") => {
            let number = value.as_u64().or_else(|| {
                let number = value.as_f64()?;
                (number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number))
                    .then_some(number as u64)
            });
            match number.and_then(|number| u32::try_from(number).ok()) {
                Some(number) => Ok(Value::from(number)),
                None => Err(format!("`{name}` must be a whole number, not negative.")),
            }
        }
        Some("array") => {
            let texts = value
                .as_array()
                .is_some_and(|items| items.iter().all(Value::is_string));
            if texts {
                Ok(value)
            } else {
                Err(format!("`{name}` must be a list of texts."))
            }
        }
        _ => match schema["enum"].as_array() {
            Some(words) if !words.contains(&value) => Err(format!(
                "`{name}` must be one of {}.",
                listed(words.iter().filter_map(Value::as_str))
            )),
            None if !value.is_string() => Err(format!("`{name}` must be a text.")),
            _ => Ok(value),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ozbrain_core::Code;
    use ozbrain_core::shapes::{
        BrainsInput, FetchInput, ResolveInput, SearchInput, TopicsInput, WriteInput,
    };
    use serde_json::json;

    fn object(value: Value) -> Option<JsonObject> {
        value.as_object().cloned()
    }

    fn refused<T: DeserializeOwned + std::fmt::Debug>(tool: ToolName, value: Value) -> String {
        let refusal = read::<T>(tool, object(value)).unwrap_err();
        assert_eq!(refusal.code, Code::Invalid);
        refusal.message
    }

    #[test]
    fn what_clients_leave_out_in_their_ways_is_left_out() {
        let value = json!({
            "brain": "team", "topic": "a/b", "title": "", "source": null, "body": "",
            "base_revision": 3.0, "tags": [],
        });
        let input: WriteInput = read(ToolName::Write, object(value)).unwrap();
        assert_eq!(input.title, None);
        assert_eq!(input.source, None);
        assert_eq!(input.body.as_deref(), Some(""));
        assert_eq!(input.base_revision, Some(3));
        assert_eq!(input.tags, Some(Vec::new()));
        let none: SearchInput = read(ToolName::Search, None).unwrap();
        assert_eq!(none.query, None);
    }

    #[test]
    fn of_two_texts_the_empty_one_is_left_out() {
        let texts = |body: Value, append: Value| {
            let value = json!({"brain": "team", "topic": "a", "body": body, "append": append});
            let input: WriteInput = read(ToolName::Write, object(value)).unwrap();
            (input.body, input.append)
        };
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(texts(json!("b"), json!("")), (text("b"), None));
        assert_eq!(texts(json!("b"), Value::Null), (text("b"), None));
        assert_eq!(texts(json!(""), json!("c")), (None, text("c")));
        assert_eq!(texts(Value::Null, json!("c")), (None, text("c")));
        // Two that are both empty ask for an empty body, and that is refused.
        assert_eq!(texts(json!(""), json!("")), (text(""), None));
        assert_eq!(texts(json!("b"), json!("c")), (text("b"), text("c")));
    }

    #[test]
    fn a_refusal_names_the_argument() {
        insta::assert_json_snapshot!([
            refused::<FetchInput>(ToolName::Fetch, json!({})),
            refused::<FetchInput>(ToolName::Fetch, json!({"id": 7})),
            refused::<FetchInput>(ToolName::Fetch, json!({"id": " "})),
            refused::<FetchInput>(ToolName::Fetch, json!({"unit": "x"})),
            refused::<BrainsInput>(ToolName::Brains, json!({"all": true})),
            refused::<SearchInput>(ToolName::Search, json!({"limit": "ten"})),
            refused::<SearchInput>(ToolName::Search, json!({"limit": -1})),
            refused::<SearchInput>(ToolName::Search, json!({"limit": 1.5})),
            refused::<SearchInput>(ToolName::Search, json!({"freshness": "new"})),
            refused::<TopicsInput>(ToolName::Topics, json!({"brain": ["team"]})),
            refused::<WriteInput>(ToolName::Write, json!({"topic": "a", "body": "b"})),
            refused::<WriteInput>(ToolName::Write, json!({"brain": "team", "tags": "a"})),
            refused::<WriteInput>(ToolName::Write, json!({"brain": "team", "tags": [1]})),
            refused::<ResolveInput>(ToolName::Resolve, json!({"id": "x", "version": 1})),
        ]);
    }
}
