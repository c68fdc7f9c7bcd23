//! The OpenAPI document. It is written by the same calls that make the routes,
//! and its schemas are those of the shapes themselves.

use super::input::{has_body, short};
use crate::Result;
use axum::http::Method;
use ozbrain_core::Refusal;
use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

const COMPONENTS: &str = "#/components/schemas/";

/// One route: what it takes, as far as reading it needs to know.
pub(super) struct Operation {
    id: &'static str,
    /// Whether it takes its fields from a body rather than from the query.
    pub(super) has_body: bool,
    /// The longest body.
    pub(super) body_bytes: usize,
    /// Its fields and the plain type of each.
    fields: Vec<(String, Kind)>,
}

#[derive(Clone, Copy)]
enum Kind {
    Number,
    Truth,
    /// A text; in a body also anything else.
    Text,
}

impl Operation {
    pub(super) fn takes(&self, name: &str) -> bool {
        self.fields.iter().any(|(field, _)| field == name)
    }

    /// The refusal of a field that the operation does not have.
    pub(super) fn unknown(&self, name: &str) -> Refusal {
        let (id, name) = (self.id, short(name));
        if self.fields.is_empty() {
            return Refusal::invalid(format!("`{id}` takes nothing, so leave out `{name}`."));
        }
        let fields: Vec<String> = self
            .fields
            .iter()
            .map(|(it, _)| format!("`{it}`"))
            .collect();
        Refusal::invalid(format!(
            "`{id}` has no `{name}`. It takes {}.",
            fields.join(", ")
        ))
    }

    /// What a text in the address means.
    ///
    /// # Errors
    /// `invalid` if it is not of the field's type.
    pub(super) fn value(&self, name: &str, text: &str) -> Result<Value> {
        let kind = self.fields.iter().find(|(field, _)| field == name);
        let wrong = |must| Refusal::invalid(format!("`{name}` must be {must}."));
        match kind.map_or(Kind::Text, |(_, kind)| *kind) {
            Kind::Number => text
                .parse::<u64>()
                .map(Value::from)
                .map_err(|_| wrong("a whole number, not negative")),
            Kind::Truth => text
                .parse::<bool>()
                .map(Value::from)
                .map_err(|_| wrong("true or false")),
            Kind::Text => Ok(Value::from(text)),
        }
    }
}

/// What a route is, for its readers.
#[derive(Clone, Copy)]
pub(super) struct About {
    /// The use case's word, `unitHistory`.
    id: &'static str,
    summary: &'static str,
    body_bytes: usize,
    /// Whether it can be called without a bearer.
    open: bool,
}

/// The longest body of a request.
const BODY: usize = 4 * 1024 * 1024;

/// The longest body of one that anybody can send.
const OPEN_BODY: usize = 4 * 1024;

impl About {
    pub(super) const fn signed_in(id: &'static str, summary: &'static str) -> Self {
        Self {
            id,
            summary,
            body_bytes: BODY,
            open: false,
        }
    }

    pub(super) const fn open(id: &'static str, summary: &'static str) -> Self {
        Self {
            id,
            summary,
            body_bytes: OPEN_BODY,
            open: true,
        }
    }
}

/// The document, as it grows.
pub(super) struct Document {
    inputs: SchemaGenerator,
    replies: SchemaGenerator,
    paths: Map<String, Value>,
}

impl Document {
    pub(super) fn new() -> Self {
        let settings = || {
            SchemaSettings::draft2020_12().with(|settings| {
                settings.meta_schema = None;
                settings.definitions_path = "/components/schemas".into();
            })
        };
        Self {
            inputs: settings().for_deserialize().into_generator(),
            replies: settings().for_serialize().into_generator(),
            paths: Map::new(),
        }
    }

    /// Adds a route that answers with JSON.
    pub(super) fn add<I: JsonSchema, O: JsonSchema>(
        &mut self,
        method: &Method,
        path: &str,
        about: About,
    ) -> Operation {
        let reply = Value::from(self.replies.subschema_for::<O>());
        let content = json!({"application/json": {"schema": reply}});
        self.add_with::<I>(method, path, about, content)
    }

    /// Adds a route that answers with server-sent events of one type.
    pub(super) fn add_events<I: JsonSchema, E: JsonSchema>(
        &mut self,
        path: &str,
        about: About,
    ) -> Operation {
        let event = Value::from(self.replies.subschema_for::<E>());
        let content = json!({"text/event-stream": {"schema": event}});
        self.add_with::<I>(&Method::GET, path, about, content)
    }

    fn add_with<I: JsonSchema>(
        &mut self,
        method: &Method,
        path: &str,
        about: About,
        content: Value,
    ) -> Operation {
        let reference = Value::from(self.inputs.subschema_for::<I>());
        let mut whole = self.resolved(&reference);
        plain(&mut whole);
        let required: Vec<&str> = whole["required"]
            .as_array()
            .map(|names| names.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        let empty = Map::new();
        let properties = whole["properties"].as_object().unwrap_or(&empty);
        let in_path = |name: &str| path.contains(&format!("{{{name}}}"));
        let has_body = has_body(method);
        let parameters: Vec<Value> = properties
            .iter()
            .filter(|(name, _)| in_path(name) || !has_body)
            .map(|(name, schema)| {
                let mut schema = schema.clone();
                let description = schema
                    .as_object_mut()
                    .and_then(|schema| schema.remove("description"));
                let mut parameter = json!({
                    "name": name,
                    "in": if in_path(name) { "path" } else { "query" },
                    "required": in_path(name) || required.contains(&name.as_str()),
                    "schema": schema,
                });
                if let Some(description) = description {
                    parameter["description"] = description;
                }
                parameter
            })
            .collect();
        let mut operation = json!({
            "operationId": about.id,
            "summary": about.summary,
            "responses": {
                "200": {"description": "The reply", "content": content},
                "default": {"$ref": "#/components/responses/Refused"},
            },
        });
        if about.open {
            operation["security"] = json!([]);
        }
        if has_body {
            let body = if parameters.is_empty() {
                reference
            } else {
                without(&whole, in_path)
            };
            operation["requestBody"] =
                json!({"required": true, "content": {"application/json": {"schema": body}}});
        }
        // Of a choice between objects each may bring its own.
        let choices = whole["oneOf"].as_array().into_iter().flatten();
        let more = choices.filter_map(|choice| choice["properties"].as_object());
        let fields = more
            .flatten()
            .chain(properties)
            .collect::<BTreeMap<_, _>>()
            .into_iter()
            .map(|(name, schema)| {
                let kind = match schema["type"].as_str() {
                    Some("integer") => Kind::Number,
                    Some("boolean") => Kind::Truth,
                    _ => Kind::Text,
                };
                (name.clone(), kind)
            })
            .collect();
        if !parameters.is_empty() {
            operation["parameters"] = Value::Array(parameters);
        }
        let item = self.paths.entry(path).or_insert_with(|| json!({}));
        item[method.as_str().to_ascii_lowercase()] = operation;
        Operation {
            id: about.id,
            has_body,
            body_bytes: about.body_bytes,
            fields,
        }
    }

    /// A schema of inputs, without its reference.
    fn resolved(&self, schema: &Value) -> Value {
        let name = schema["$ref"]
            .as_str()
            .and_then(|reference| reference.strip_prefix(COMPONENTS));
        name.and_then(|name| self.inputs.definitions().get(name))
            .unwrap_or(schema)
            .clone()
    }

    /// The whole document, as JSON.
    pub(super) fn finish(mut self) -> String {
        let refusal = Value::from(self.replies.subschema_for::<Refusal>());
        let mut schemas = self.replies.take_definitions(false);
        // A shape that is both taken and given may ask for less than it gives.
        for (name, schema) in self.inputs.take_definitions(false) {
            schemas.entry(name).or_insert(schema);
        }
        let mut schemas = Value::Object(schemas);
        plain(&mut schemas);
        let mut paths = Value::Object(self.paths);
        plain(&mut paths);
        keep_used(&mut schemas, &[&paths, &refusal]);
        let mut document = json!({
            "openapi": "3.1.0",
            "info": {
                "title": "OzBrain",
                "version": "1",
                "description": "What the screens call. Every refusal has a stable code.",
            },
            "security": [{"bearer": []}],
            "paths": paths,
            "components": {
                "schemas": schemas,
                "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
                "responses": {"Refused": {
                    "description": "What is wrong, and what to do",
                    "content": {"application/json": {"schema": refusal}},
                }},
            },
        });
        document.sort_all_objects();
        let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// An object's schema without some of its properties.
fn without(object: &Value, gone: impl Fn(&str) -> bool) -> Value {
    let mut object = object.clone();
    if let Some(properties) = object["properties"].as_object_mut() {
        properties.retain(|name, _| !gone(name));
    }
    if let Some(required) = object["required"].as_array_mut() {
        required.retain(|name| !name.as_str().is_some_and(&gone));
    }
    if object["required"].as_array().is_some_and(Vec::is_empty)
        && let Some(object) = object.as_object_mut()
    {
        object.remove("required");
    }
    object
}

/// Makes schemas plain: what may be left out is never null, and the words of
/// an enumeration stand in one list.
fn plain(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(plain),
        Value::Object(object) => {
            let required: BTreeSet<String> = object
                .get("required")
                .and_then(Value::as_array)
                .map(|names| {
                    names
                        .iter()
                        .filter_map(Value::as_str)
                        .map(Into::into)
                        .collect()
                })
                .unwrap_or_default();
            if let Some(properties) = object.get_mut("properties").and_then(Value::as_object_mut) {
                for (name, property) in properties {
                    if !required.contains(name) {
                        not_null(property);
                    }
                }
            }
            words(object);
            object.values_mut().for_each(plain);
        }
        _ => {}
    }
}

/// Takes null out of what a property may be.
fn not_null(property: &mut Value) {
    let Some(object) = property.as_object_mut() else {
        return;
    };
    if object.get("default").is_some_and(Value::is_null) {
        object.remove("default");
    }
    if let Some(Value::Array(kinds)) = object.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [kind] = kinds.as_slice() {
            let kind = kind.clone();
            object.insert("type".into(), kind);
        }
    }
    if let Some(Value::Array(words)) = object.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    if let Some(Value::Array(parts)) = object.get_mut("anyOf") {
        parts.retain(|part| part["type"] != "null");
        if let [part] = parts.as_slice() {
            let part = part.clone();
            object.remove("anyOf");
            if let Value::Object(part) = part {
                for (key, value) in part {
                    object.entry(key).or_insert(value);
                }
            }
        }
    }
}

/// Turns a choice between single words into one list of them.
fn words(object: &mut Map<String, Value>) {
    let Some(Value::Array(options)) = object.get("oneOf") else {
        return;
    };
    let mut words = Vec::new();
    for option in options {
        match (option.get("const"), option.get("enum")) {
            (Some(word @ Value::String(_)), _) => words.push(word.clone()),
            (_, Some(Value::Array(more))) => words.extend(more.iter().cloned()),
            _ => return,
        }
    }
    object.remove("oneOf");
    object.insert("type".into(), json!("string"));
    object.insert("enum".into(), Value::Array(words));
}

/// Leaves the schemas that something refers to.
fn keep_used(schemas: &mut Value, roots: &[&Value]) {
    fn collect(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            Value::Object(object) => {
                let name = object
                    .get("$ref")
                    .and_then(Value::as_str)
                    .and_then(|reference| reference.strip_prefix(COMPONENTS));
                found.extend(name.map(Into::into));
                object.values().for_each(|value| collect(value, found));
            }
            _ => {}
        }
    }
    let mut open = Vec::new();
    roots.iter().for_each(|root| collect(root, &mut open));
    let mut used = BTreeSet::new();
    while let Some(name) = open.pop() {
        if used.insert(name.clone()) {
            collect(&schemas[name.as_str()], &mut open);
        }
    }
    if let Some(schemas) = schemas.as_object_mut() {
        schemas.retain(|name, _| used.contains(name));
    }
}
