use super::{FaultKind, Format, Json, Splice, Tree};
use proptest::prelude::*;

const ARGS: [&str; 5] = [
    "mcp",
    "--connection",
    "cursor",
    "--data-dir",
    "/home/ann/.local/share/ozbrain",
];

fn entry() -> Tree {
    Tree::Map(vec![
        ("command".into(), Tree::text("/usr/bin/ozbrain")),
        ("args".into(), Tree::List(ARGS.map(Tree::text).to_vec())),
    ])
}

const LENIENT: Format = Format::Json(Json::LENIENT);
const STRICT: Format = Format::Json(Json::STRICT);
const JSON_PATH: [&str; 2] = ["mcpServers", "ozbrain"];
const TOML_PATH: [&str; 2] = ["mcp_servers", "ozbrain"];
const YAML_PATH: [&str; 2] = ["extensions", "ozbrain"];

/// Adds our entry, checks that what remains without it are the same bytes, and
/// gives the text with it.
#[track_caller]
fn there_and_back(format: Format, path: [&str; 2], text: &str) -> String {
    let made = format
        .put(text, &path, &entry())
        .unwrap_or_else(|fault| panic!("{fault:?}\n{text}"));
    assert_eq!(
        format.read(&made).unwrap().at(&path).map(sorted),
        Some(sorted(&entry())),
        "{made}"
    );
    let again = format.put(&made, &path, &entry()).unwrap();
    assert_eq!(again, made, "a second time changes nothing");
    let before = format.read(text).unwrap();
    let container = before.get(path[0]);
    let back = format.remove(&made, path, container.is_none()).unwrap();
    assert!(holds(text, &made), "{made}");
    assert_eq!(bare(&back), bare(text), "{made}");
    // How something empty was written is not kept in the text.
    if !before.is_nothing() && !container.is_some_and(Tree::is_nothing) {
        assert_eq!(back, text, "{made}");
    }
    made
}

/// A text without blanks, and without what says that nothing is there.
fn bare(text: &str) -> String {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    text.replace("{}", "").replace("null", "")
}

/// Whether everything in a text but blanks is still there, in its order.
fn holds(text: &str, made: &str) -> bool {
    let made = bare(made);
    let mut chars = made.chars();
    bare(text).chars().all(|c| chars.any(|other| other == c))
}

fn sorted(tree: &Tree) -> Tree {
    match tree {
        Tree::Map(pairs) => {
            let mut pairs = pairs.clone();
            pairs.sort_by(|a, b| a.0.cmp(&b.0));
            Tree::Map(pairs)
        }
        other => other.clone(),
    }
}

const JSONC: [&str; 28] = [
    "{}",
    "{ }",
    "{\n}\n",
    "{\n  // nothing yet\n}\n",
    "{ /* nothing yet */ }",
    "{\"mcpServers\":{}}",
    "{\n  \"mcpServers\": {}\n}\n",
    "{\n  \"mcpServers\": {\n  }\n}\n",
    "{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}",
    "{\"a\": 1}",
    "{\n\t\"a\": 1\n}",
    "{\n    \"mcpServers\": {\n        \"a\": { \"url\": \"https://x.y//z\" } // see https://x.y\n    },\n    \"b\": [1, 2]\n}\n",
    "{\r\n  \"mcpServers\": {\r\n    \"a\": {},\r\n  },\r\n}\r\n",
    "// head\n{\n  \"mcpServers\": {\n    \"a\": {}, // one\n    \"b\": {} // two\n    // three\n    /* four */\n  }\n}\n// tail",
    "{\"a\": 1, // x\n\"b\": 2}",
    "{\"a\": 1 // x\n}",
    "{ \"mcpServers\": { \"a\": {} /* , */ } }",
    "{\n  \"mcpServers\": { \"a\": {}, }\n}\n",
    "{\n  \"x\": \"{\\\"mcpServers\\\": 1}\",\n  \"mcpServers\": {\n    \"a\": {\"command\": \"c\"}}}\n",
    "{\n\n  \"a\": 1\n\n}\n\n\n",
    "{\n  \"a\": 1, \"b\": 2,\n  \"mcpServers\": {\"c\": 1,\n    \"d\": 2\n  }\n}",
    "{\n  \"\\u006dcpServers\": {\n    \"ü\": \"😀\"\n  }\n}\n",
    "\n\n  {\n    \"a\": 1\n  }\n",
    "",
    "{\"mcpServers\": { /* none */ }} // all",
    "{\n  \"mcpServers\": { // none\n  } // all\n}\n",
    "{\n  \"mcpServers\": {\n    \"a\": {}\n    // \"b\": {}\n\n    // c\n  }\n}\n",
    "{\"mcpServers\": {\"a\": {} // a\n, \"b\": {} /* b */, // c\n}}",
];

#[test]
fn an_entry_of_json_comes_and_goes_without_a_trace() {
    let made: Vec<String> = JSONC
        .iter()
        .map(|text| format!("{text}\n=>\n{}", there_and_back(LENIENT, JSON_PATH, text)))
        .collect();
    insta::assert_snapshot!(made.join("\n--------\n"));
}

const TOML: [&str; 27] = [
    "",
    "# only a comment\n",
    "model = \"gpt-5\"",
    "model = \"gpt-5\"\n",
    "model = \"gpt-5\"\r\n\r\n[tui]\r\nx = 1\r\n",
    "[mcp_servers.a]\ncommand = \"x\" # y\n",
    "[mcp_servers.a]\ncommand = \"x\"",
    "[mcp_servers.a]\ncommand = \"x\"\nargs = [\n  \"1\", # one\n]\n\n[mcp_servers.a.env]\nA = \"1\"\n\n# projects\n[projects.\"/x\"]\ntrust = \"yes\"\n",
    "[projects.\"/x\"]\ntrust = \"yes\"\n[mcp_servers]\n[profiles.a]\nm = 1\n",
    "mcp_servers = { a = { command = \"x\" } } # inline\nb = 1\n",
    "mcp_servers.a.command = \"x\"\nb = 1\n\n[z]\nc = 1\n",
    "[mcp_servers]\na.command = \"x\"\n\n[z]\nc = 1\n",
    "[mcp_servers]\na = { command = \"x\" }\n[[z]]\nc = 1\n[[z]]\nc = 2\n",
    "s = '''\n[mcp_servers.no]\n'''\n",
    "\n\n[mcp_servers.a]\n\tcommand = 'C:\\x'\n\n\n",
    "mcp_servers = {}\n",
    "mcp_servers = { } # none\n",
    "mcp_servers = { # none\n}\n",
    "mcp_servers = {\n  a = { command = \"x\" }, # a\n  b = { command = \"y\" } # b\n  # c\n} # all\n",
    "mcp_servers = {\n\ta = { command = \"x\" }, # a\n}\n",
    "mcp_servers = { a.command = \"x\", a.args = [] }\n",
    "[mcp_servers.a]\ncommand = \"x\"\n# args = [\"y\"]\n\n# projects\n[p]\nx = 1\n",
    "[mcp_servers.a]\r\ncommand = \"x\"\r\n\t# args = [\r\n\t#   \"y\"]\r\n# projects\r\n[p]\r\nx = 1\r\n",
    "[mcp_servers.a]\ncommand = \"x\"\n# args = [\"y\"]",
    "[mcp_servers.a]\ncommand = \"x\"\n# projects\n[p]\n",
    "[mcp_servers] # all\n# none yet\n\n[p]\n",
    "a = \"#\" # \"\nb = \"\"\"\n# no \\\"\"\"\"\"\" # '''\nc = ''''#' # c\n''''' # d\n",
];

#[test]
fn an_entry_of_toml_comes_and_goes_without_a_trace() {
    let made: Vec<String> = TOML
        .iter()
        .map(|text| {
            format!(
                "{text}\n=>\n{}",
                there_and_back(Format::Toml, TOML_PATH, text)
            )
        })
        .collect();
    insta::assert_snapshot!(made.join("\n--------\n"));
}

const YAML: [&str; 48] = [
    "",
    "# only a comment\n",
    "---\n",
    "GOOSE_PROVIDER: openai\n",
    "GOOSE_PROVIDER: openai",
    "GOOSE_PROVIDER: openai\r\nextensions:\r\n  a:\r\n    enabled: true\r\n",
    "extensions:\n  a:\n    enabled: true\n    args:\n    - x\n    - y\n\n# tail\nb: 1\n",
    "extensions:\n    a:\n        cmd: x # why\n    # about b\n    b:\n        cmd: y\n",
    "extensions: {}\nb: 1\n",
    "extensions: {} # none\n",
    "extensions:\nb: 1\n",
    "extensions: # none\n",
    "extensions: {a: {cmd: x}, b: {cmd: y}}\n",
    "{extensions: {a: {cmd: x}}, b: 1}\n",
    "extensions:\n  a:\n    text: |+\n      one\n\n\nb: 1\n",
    "x: &anchor\n  y: 1\nextensions:\n  a: *anchor\n",
    "- a\n- b\n",
    "extensions:\n  a:\n    cmd: x\n...\n",
    "extensions: { }\n",
    "extensions: { } # none\nb: 1\n",
    "extensions: { # none\n  }\nb: 1\n",
    "extensions: {\n  # none\n  }\n",
    "extensions: # none\n  {}\nb: 1\n",
    "extensions:\n  # none\nb: 1\n",
    "extensions:\n  # a:\n  #   cmd: x\n\n# b\nb: 1\n",
    "extensions: {} # {\n",
    "extensions: null # none\n",
    "extensions: { developer: { enabled: true } }\n",
    "extensions: { a: {cmd: x}, } # all\nb: 1\n",
    "extensions: {a: {cmd: x} # a\n  }\nb: 1\n",
    "extensions: {\n  a: { cmd: x }, # a\n  b: { cmd: y } # b\n  # c\n} # all\nb: 1\n",
    "extensions: {\r\n \ta: [ x, # x\r\n  y ], # a\r\n}\r\n",
    "extensions: { a, b: , \"c\" : x }\n",
    "extensions: { a: \"#}\", 'b': '# {' , c: x#y }\n",
    "extensions: {a: b:c, d: }\n",
    "{ extensions: { }, b: 1 } # all\n",
    "{ extensions: , b: 1 }\n",
    "{ extensions: null, b: 1 }\n",
    "{ b: 1 } # all\n",
    "{ # none\n}\n",
    "extensions: &x # {\n  a: 1\nb: *x\n",
    "extensions: &x {a: 1} # x\nb: *x\n",
    "extensions:\n  a:\n    cmd: x\n    # args: y\n  # b:\n  #   cmd: z\n# tail\nb: 1\n",
    "extensions:\r\n  a:\r\n    cmd: x\r\n    # args: y",
    "extensions:\n  a: | # text\n    # no comment\n  # a comment\nb: !!str | # c\n  x # y\n",
    "extensions:\n  ? a # key\n  : x # value\nb: 1\n",
    "extensions:\n  {a: b}: c # a\n",
    "? extensions # x: y\n: {} # all\nb: 1\n",
];

#[test]
fn an_entry_of_yaml_comes_and_goes_without_a_trace() {
    let made: Vec<String> = YAML
        .iter()
        .filter(|text| !text.starts_with('-') || text.starts_with("---"))
        .map(|text| {
            format!(
                "{text}\n=>\n{}",
                there_and_back(Format::Yaml, YAML_PATH, text)
            )
        })
        .collect();
    insta::assert_snapshot!(made.join("\n--------\n"));
}

#[test]
fn what_cannot_be_read_or_is_ambiguous_is_refused_with_its_place() {
    for (format, path, text, kind, at) in [
        (STRICT, JSON_PATH, "{\"a\": 1,}", FaultKind::Syntax, 7),
        (STRICT, JSON_PATH, "{// c\n}", FaultKind::Syntax, 1),
        (STRICT, JSON_PATH, "{\"a\": 01}", FaultKind::Syntax, 7),
        (LENIENT, JSON_PATH, "{\"a\" 1}", FaultKind::Syntax, 5),
        (LENIENT, JSON_PATH, "[]", FaultKind::Shape, 0),
        (
            LENIENT,
            JSON_PATH,
            "{\"mcpServers\": []}",
            FaultKind::Shape,
            15,
        ),
        (
            LENIENT,
            JSON_PATH,
            "{\"mcpServers\": {}, \"mcpServers\": {}}",
            FaultKind::Twice,
            19,
        ),
        (
            LENIENT,
            JSON_PATH,
            "{\"mcpServers\": {\"ozbrain\": 1, \"ozbrain\": 2}}",
            FaultKind::Twice,
            30,
        ),
        (Format::Toml, TOML_PATH, "a = 1\n[x\n", FaultKind::Syntax, 8),
        (
            Format::Toml,
            TOML_PATH,
            "a = 1\na = 2\n",
            FaultKind::Syntax,
            6,
        ),
        (
            Format::Toml,
            TOML_PATH,
            "mcp_servers = 1\n",
            FaultKind::Shape,
            14,
        ),
        (
            Format::Yaml,
            YAML_PATH,
            "a: 1\n b: 2\n",
            FaultKind::Syntax,
            7,
        ),
        (Format::Yaml, YAML_PATH, "- a\n", FaultKind::Shape, 0),
        (
            Format::Yaml,
            YAML_PATH,
            "extensions: []\n",
            FaultKind::Shape,
            12,
        ),
        (
            Format::Yaml,
            YAML_PATH,
            "extensions: {}\nextensions: {}\n",
            FaultKind::Twice,
            15,
        ),
        (
            Format::Yaml,
            YAML_PATH,
            "a: 1\n---\nb: 1\n",
            FaultKind::Shape,
            9,
        ),
    ] {
        let fault = format.put(text, &path, &entry()).expect_err(text);
        assert_eq!(
            (fault.kind, fault.at),
            (kind, at),
            "{text}: {}",
            fault.message
        );
    }
}

#[test]
fn a_field_changes_alone() {
    let moved = Tree::text("/opt/ozbrain");
    for (format, path, text, want) in [
        (
            LENIENT,
            JSON_PATH,
            "{\"mcpServers\": {\"ozbrain\": {\"command\": \"/old\", /* mine */ \"disabled\": true}}}",
            "{\"mcpServers\": {\"ozbrain\": {\"command\": \"/opt/ozbrain\", /* mine */ \"disabled\": true}}}",
        ),
        (
            LENIENT,
            JSON_PATH,
            "{\n  \"mcpServers\": {\n    \"ozbrain\": {\n      \"disabled\": true\n    }\n  }\n}",
            "{\n  \"mcpServers\": {\n    \"ozbrain\": {\n      \"disabled\": true,\n      \"command\": \"/opt/ozbrain\"\n    }\n  }\n}",
        ),
        (
            Format::Toml,
            TOML_PATH,
            "[mcp_servers.ozbrain]\n# mine\ncommand = '/old' # c\nstartup_timeout_sec = 3\n[mcp_servers.ozbrain.tools.search]\napproval = 'auto'\n",
            "[mcp_servers.ozbrain]\n# mine\ncommand = \"/opt/ozbrain\" # c\nstartup_timeout_sec = 3\n[mcp_servers.ozbrain.tools.search]\napproval = 'auto'\n",
        ),
        (
            Format::Toml,
            TOML_PATH,
            "[mcp_servers.ozbrain] # x\r\nargs = []\r\n",
            "[mcp_servers.ozbrain] # x\r\ncommand = \"/opt/ozbrain\"\r\nargs = []\r\n",
        ),
        (
            Format::Yaml,
            YAML_PATH,
            "extensions:\n  ozbrain:\n    command: /old # c\n    timeout: 5\n",
            "extensions:\n  ozbrain:\n    command: \"/opt/ozbrain\" # c\n    timeout: 5\n",
        ),
        (
            Format::Yaml,
            YAML_PATH,
            "extensions:\n  ozbrain:\n    command:\n    - /old\n    - x\n    timeout: 5\n",
            "extensions:\n  ozbrain:\n    command: \"/opt/ozbrain\"\n    timeout: 5\n",
        ),
    ] {
        let path = [path[0], path[1], "command"];
        assert_eq!(format.put(text, &path, &moved).unwrap(), want);
    }
}

#[test]
fn an_entry_with_tables_of_its_own_goes_whole() {
    let text = "[a]\nb = 1\n\n[mcp_servers.ozbrain]\ncommand = 'x'\n\n[mcp_servers.ozbrain.tools.search]\napproval = 'auto'\n\n[mcp_servers.c]\nd = 1\n";
    let left = Format::Toml.remove(text, TOML_PATH, false).unwrap();
    assert_eq!(left, "[a]\nb = 1\n\n[mcp_servers.c]\nd = 1\n");
}

#[test]
fn taken_out_of_the_middle_the_rest_stays() {
    for (text, want) in [
        (
            "{\n  \"mcpServers\": {\n    // ours\n    \"ozbrain\": {}, // here\n    \"b\": {}\n  }\n}",
            "{\n  \"mcpServers\": {\n    // ours\n    // here\n    \"b\": {}\n  }\n}",
        ),
        (
            "{\"mcpServers\": {\"ozbrain\": {}, \"b\": {}}}",
            "{\"mcpServers\": {\"b\": {}}}",
        ),
        (
            "{\"mcpServers\": {\"a\": {}, \"ozbrain\": {}, \"b\": {}}}",
            "{\"mcpServers\": {\"a\": {}, \"b\": {}}}",
        ),
        (
            "{\n  \"mcpServers\": {\n    \"ozbrain\": {}\n  }\n}",
            "{\n  \"mcpServers\": {}\n}",
        ),
    ] {
        assert_eq!(LENIENT.remove(text, JSON_PATH, false).unwrap(), want);
    }
    let yaml = "extensions:\n  a: 1\n  ozbrain:\n    cmd: x\n  # b is\n  b: 2\n";
    let left = Format::Yaml.remove(yaml, YAML_PATH, false).unwrap();
    assert_eq!(left, "extensions:\n  a: 1\n  # b is\n  b: 2\n");
    let yaml = "extensions: # all\n  ozbrain:\n    cmd: x\nb: 2\n";
    let left = Format::Yaml.remove(yaml, YAML_PATH, false).unwrap();
    assert_eq!(left, "extensions: {} # all\nb: 2\n");
}

#[test]
fn a_neighbours_comments_stay_when_ours_goes() {
    for (format, path, text, want) in [
        (
            Format::Yaml,
            YAML_PATH,
            "extensions: { a: {cmd: x}, # keep\n  ozbrain: {cmd: y} # here\n}\n",
            "extensions: { a: {cmd: x} # keep\n  # here\n}\n",
        ),
        (
            Format::Yaml,
            YAML_PATH,
            "extensions: {\n  a: {cmd: x}, # keep\n  ozbrain: {cmd: y}\n} # all\n",
            "extensions: {\n  a: {cmd: x} # keep\n} # all\n",
        ),
        (
            Format::Yaml,
            YAML_PATH,
            "extensions: { a: {cmd: x}, # keep\n  ozbrain: {cmd: y}, b: {cmd: z} }\n",
            "extensions: { a: {cmd: x}, # keep\n  b: {cmd: z} }\n",
        ),
        (
            Format::Yaml,
            YAML_PATH,
            "extensions: { # keep\n  ozbrain: {cmd: y}, # b\n  b: {cmd: z} }\n",
            "extensions: { # keep\n  # b\n  b: {cmd: z} }\n",
        ),
        (
            Format::Yaml,
            YAML_PATH,
            "extensions: # all\n  # keep\n  ozbrain: # ours\n    # ours\n    cmd: y # ours\n    # below\nb: 1\n",
            "extensions: {} # all\n  # keep\n    # below\nb: 1\n",
        ),
        (
            Format::Yaml,
            YAML_PATH,
            "extensions:\n  ? ozbrain # ours\n  : {cmd: y} # ours\n  # keep\n  ? b\n  : c\n",
            "extensions:\n  # keep\n  ? b\n  : c\n",
        ),
        (
            Format::Toml,
            TOML_PATH,
            "mcp_servers = { a = {}, # keep\n  ozbrain = {} }\n",
            "mcp_servers = { a = {} # keep\n  }\n",
        ),
        (
            Format::Toml,
            TOML_PATH,
            "mcp_servers = {\n  a = {}, # keep\n  ozbrain = {}, # here\n  b = {}, # b\n}\n",
            "mcp_servers = {\n  a = {}, # keep\n  # here\n  b = {}, # b\n}\n",
        ),
        (
            Format::Toml,
            TOML_PATH,
            "mcp_servers = { # keep\n  ozbrain = {}\n}\n",
            "mcp_servers = { # keep\n}\n",
        ),
        (
            Format::Toml,
            TOML_PATH,
            "# a\n[mcp_servers.ozbrain] # ours\n# ours\nx = 1 # ours\n# b\n\n[mcp_servers.ozbrain.env] # ours\n# c\n[d]\n",
            "# a\n# b\n# c\n[d]\n",
        ),
        (
            LENIENT,
            JSON_PATH,
            "{\"mcpServers\": {\"a\": {}, // keep\n  \"ozbrain\": {} }}",
            "{\"mcpServers\": {\"a\": {} // keep\n  }}",
        ),
        (
            LENIENT,
            JSON_PATH,
            "{\"mcpServers\": {\"a\": {}, // keep\n  \"ozbrain\": {} /* c */, \"b\": {} }}",
            "{\"mcpServers\": {\"a\": {}, // keep\n  /* c */ \"b\": {} }}",
        ),
    ] {
        assert_eq!(format.remove(text, path, false).unwrap(), want, "{text}");
    }
}

#[test]
fn a_container_of_ours_stays_for_the_comments_in_it() {
    for (format, path, text, want) in [
        (
            Format::Yaml,
            YAML_PATH,
            "b: 1\nextensions: # mine\n  ozbrain:\n    cmd: y\n",
            "b: 1\nextensions: {} # mine\n",
        ),
        (
            Format::Yaml,
            YAML_PATH,
            "b: 1\nextensions:\n  # mine\n  ozbrain:\n    cmd: y\n",
            "b: 1\nextensions: {}\n  # mine\n",
        ),
        (
            Format::Yaml,
            YAML_PATH,
            "{b: 1, extensions: { # mine\n  ozbrain: {cmd: y} }}\n",
            "{b: 1, extensions: { # mine\n  }}\n",
        ),
        (
            LENIENT,
            JSON_PATH,
            "{\"b\": 1, \"mcpServers\": { // mine\n  \"ozbrain\": {}\n}}",
            "{\"b\": 1, \"mcpServers\": { // mine\n}}",
        ),
    ] {
        assert_eq!(format.remove(text, path, true).unwrap(), want, "{text}");
    }
}

#[test]
fn a_list_changes_around_the_comments() {
    let short = ["mcp", "--connection", "goose"];
    let long = ["mcp", "--connection", "goose", "--data-dir", "/home/ann/C#"];
    let list = |items: &[&str]| Tree::List(items.iter().copied().map(Tree::text).collect());
    for (format, path, text, items, want) in [
        (
            Format::Yaml,
            YAML_PATH,
            "extensions:\n  ozbrain:\n    args: [\"mcp\", \"/home/ann/C#/brain\"]\n    x: 1\n",
            &short[..],
            "extensions:\n  ozbrain:\n    args: [\"mcp\", \"--connection\", \"goose\"]\n    x: 1\n",
        ),
        (
            Format::Yaml,
            YAML_PATH,
            "extensions:\n  ozbrain:\n    args: [mcp, x] # mine\n    x: 1\n",
            &short[..],
            "extensions:\n  ozbrain:\n    args: [\"mcp\", \"--connection\", \"goose\"] # mine\n    x: 1\n",
        ),
        (
            Format::Yaml,
            YAML_PATH,
            "extensions:\n  ozbrain:\n    args:\n    - mcp\n    - \"/home/ann/C#\"\n    - a#b\n    x: 1\n",
            &short[..],
            "extensions:\n  ozbrain:\n    args: [\"mcp\", \"--connection\", \"goose\"]\n    x: 1\n",
        ),
        (
            Format::Yaml,
            YAML_PATH,
            "extensions:\n  ozbrain:\n    args: # mine\n    - mcp\n    - --connection # its name\n    - other # here\n",
            &short[..],
            "extensions:\n  ozbrain:\n    args: # mine\n    - mcp\n    - --connection # its name\n    - \"goose\" # here\n",
        ),
        (
            Format::Yaml,
            YAML_PATH,
            "extensions:\n  ozbrain:\n    args: # mine\n    - mcp\n    - other\n",
            &short[..],
            "extensions:\n  ozbrain:\n    args: [\"mcp\", \"--connection\", \"goose\"] # mine\n",
        ),
        (
            Format::Yaml,
            YAML_PATH,
            "extensions:\n  ozbrain:\n    args: [mcp, # mine\n      --connection, goose] # end\n",
            &long[..],
            "extensions:\n  ozbrain:\n    args: [mcp, # mine\n      --connection, goose, \"--data-dir\", \"/home/ann/C#\"] # end\n",
        ),
        (
            Format::Toml,
            TOML_PATH,
            "[mcp_servers.ozbrain]\nargs = [ # mine\n  'mcp',\n  '--connection', # its name\n  'x', # here\n] # end\n",
            &short[..],
            "[mcp_servers.ozbrain]\nargs = [ # mine\n  'mcp',\n  '--connection', # its name\n  \"goose\", # here\n] # end\n",
        ),
        (
            LENIENT,
            JSON_PATH,
            "{\"mcpServers\": {\"ozbrain\": {\"args\": [\"mcp\", // mine\n\"--connection\", \"a\", \"b\" /* end */]}}}",
            &short[..],
            "{\"mcpServers\": {\"ozbrain\": {\"args\": [\"mcp\", // mine\n\"--connection\", \"goose\" /* end */]}}}",
        ),
    ] {
        let path = [path[0], path[1], "args"];
        let made = format.put(text, &path, &list(items));
        assert_eq!(made.as_deref(), Ok(want), "{text}");
    }
}

#[test]
fn where_a_comment_would_go_the_text_is_refused_with_its_place() {
    let text = Tree::text("x");
    for (format, path, before, at) in [
        (
            Format::Yaml,
            YAML_PATH,
            "extensions:\n  ozbrain:\n    args:\n    - a # keep\n    - b\n",
            "# keep",
        ),
        (
            Format::Toml,
            TOML_PATH,
            "[mcp_servers.ozbrain]\nargs = [ # keep\n]\n",
            "# keep",
        ),
        (
            LENIENT,
            JSON_PATH,
            "{\"mcpServers\": {\"ozbrain\": {\"args\": [/* keep */]}}}",
            "/* keep",
        ),
    ] {
        let path = [path[0], path[1], "args"];
        let fault = format.put(before, &path, &text).expect_err(before);
        assert_eq!(
            (fault.kind, Some(fault.at)),
            (FaultKind::Unsure, before.find(at)),
            "{before}: {}",
            fault.message
        );
        assert!(fault.message.contains("comment"), "{}", fault.message);
    }
    // What has no comment, and cannot be changed alone.
    let shared = "extensions:\n  ozbrain: &x {cmd: y}\n  b: *x\n";
    let fault = Format::Yaml.remove(shared, YAML_PATH, false).unwrap_err();
    assert_eq!((fault.kind, fault.at), (FaultKind::Unsure, 14));
    assert!(
        fault.message.contains("line 2, column 3"),
        "{}",
        fault.message
    );
}

#[test]
fn no_text_is_made_that_harms_what_is_not_ours() {
    let json = "{\"mcpServers\": {\"a\": { \"b\":  1 }, /* c */ \"ozbrain\": {}}} // d\n";
    let toml = "[mcp_servers.a]\nb  =  [ 1, ] # c\n[mcp_servers.ozbrain] # e\nx = 1 # f\n# d\n";
    let yaml = "extensions:\n  a: [ 1,  2 ] # c\n  ozbrain: # e\n    x: 1 # f\n# d\n";
    for (format, path, text, ours) in [
        (LENIENT, JSON_PATH, json, " \"ozbrain\": {}"),
        (
            Format::Toml,
            TOML_PATH,
            toml,
            "[mcp_servers.ozbrain] # e\nx = 1 # f\n",
        ),
        (
            Format::Yaml,
            YAML_PATH,
            yaml,
            "  ozbrain: # e\n    x: 1 # f\n",
        ),
    ] {
        let at = |what: &str| {
            let at = text.find(what).unwrap();
            at..at + what.len()
        };
        let mut wanted = format.read(text).unwrap();
        wanted.remove(&path);
        let removes = |more: Option<Splice>| {
            let mut ground = format.ground(text, &path).unwrap();
            ground.own = vec![at(ours)];
            ground.gone.clone_from(&ground.own);
            let mut splices = vec![Splice::remove(at(ours))];
            if format == LENIENT {
                splices.push(Splice::remove(at(", /*").start..at(", /*").start + 1));
            }
            splices.extend(more);
            format.first_sound(text, vec![splices], &path, &wanted, ground)
        };
        assert!(removes(None).is_ok(), "{:?}", removes(None));
        let comment = if format == LENIENT { "// d" } else { "# d" };
        for (harm, place) in [
            (Splice::remove(at(comment)), comment),
            (Splice::replace(at(comment), format!("{comment}e")), comment),
            (Splice::insert(at(comment).start + 2, "x"), comment),
            (Splice::insert(at(comment).end, " "), comment),
            (Splice::remove(at("  ")), "  "),
            (Splice::insert(at("  ").start, " "), "  "),
            (Splice::replace(at("1"), "1"), "1"),
        ] {
            if format == Format::Yaml && place == "  " {
                continue;
            }
            let fault = removes(Some(harm.clone())).expect_err(&format!("{text}: {harm:?}"));
            let place = at(place);
            assert_eq!(fault.kind, FaultKind::Unsure);
            assert!(
                place.contains(&fault.at),
                "{text}: {harm:?}: {}",
                fault.message
            );
        }
        // Two that overlap.
        let own = at(ours);
        let twice = Splice::remove(own.start + 1..own.end);
        assert!(removes(Some(twice)).is_err());
    }
}

// ---- Generated files ----

/// Blanks, line ends and comments, as people leave them.
fn trivia() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => Just(" ".to_owned()),
        4 => Just("\n".to_owned()),
        1 => Just("\r\n".to_owned()),
        2 => Just("\t".to_owned()),
        1 => "// [a-z,{}\":/]{0,8}\n",
        1 => "/\\* [a-z,{}\":/]{0,8} \\*/",
    ];
    proptest::collection::vec(piece, 0..3).prop_map(|pieces| pieces.concat())
}

fn json_key() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,4}".prop_map(|key| format!("\"{key}\"")),
        Just("\"mcpServers2\"".to_owned()),
        Just("\"a\\u0062\"".to_owned()),
        Just("\"https://x//y\"".to_owned()),
    ]
}

fn json_value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("1".to_owned()),
        Just("-0.5e3".to_owned()),
        Just("true".to_owned()),
        Just("null".to_owned()),
        Just("\"// no comment\"".to_owned()),
        Just("\"a\\\"b\\\\\"".to_owned()),
        Just("\"ü😀\"".to_owned()),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            collection("[", "]", item(inner.clone())),
            collection("{", "}", pair(inner)),
        ]
    })
}

fn item(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (trivia(), value, trivia()).prop_map(|(a, value, b)| format!("{a}{value}{b}"))
}

fn pair(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (trivia(), json_key(), trivia(), trivia(), value, trivia())
        .prop_map(|(a, key, b, c, value, d)| format!("{a}{key}{b}:{c}{value}{d}"))
}

fn collection(
    open: &'static str,
    close: &'static str,
    inner: impl Strategy<Value = String>,
) -> impl Strategy<Value = String> {
    (
        proptest::collection::vec(inner, 0..4),
        any::<bool>(),
        trivia(),
    )
        .prop_map(move |(items, trailing, blank)| {
            let comma = if trailing && !items.is_empty() {
                ","
            } else {
                ""
            };
            format!("{open}{}{comma}{blank}{close}", items.join(","))
        })
}

/// A file with our container, empty or not, or without it.
fn json_file() -> impl Strategy<Value = String> {
    let servers = collection("{", "}", pair(json_value()));
    let container = (trivia(), trivia(), servers, trivia())
        .prop_map(|(a, b, servers, c)| format!("{a}\"mcpServers\"{b}:{c}{servers}"));
    let container = prop_oneof![Just(None), container.prop_map(Some)];
    (
        trivia(),
        proptest::collection::vec(pair(json_value()), 0..3),
        container,
        proptest::collection::vec(pair(json_value()), 0..3),
        any::<bool>(),
        trivia(),
        trivia(),
    )
        .prop_map(|(head, mut first, container, rest, trailing, end, tail)| {
            first.extend(container);
            first.extend(rest);
            let comma = if trailing && !first.is_empty() {
                ","
            } else {
                ""
            };
            format!("{head}{{{}{comma}{end}}}{tail}", first.join(","))
        })
}

/// A file whose container has our entry, and where that stands.
fn json_with_ours() -> impl Strategy<Value = (String, std::ops::Range<usize>)> {
    let pairs = || proptest::collection::vec(pair(json_value()), 0..3);
    let ours = (trivia(), trivia());
    (pairs(), ours, pairs(), any::<bool>(), trivia(), trivia()).prop_map(
        |(first, (before, after), last, trailing, end, tail)| {
            let ours = "\"ozbrain\": {\"args\": [\"a, // b\"]}";
            let own = [format!("{before}{ours}{after}")];
            let all: Vec<&str> = [&first[..], &own, &last]
                .into_iter()
                .flatten()
                .map(String::as_str)
                .collect();
            let comma = if trailing { "," } else { "" };
            let text = format!(
                "{{\"mcpServers\": {{{}{comma}{end}}}{tail}}}",
                all.join(",")
            );
            let at = text.find(ours).unwrap();
            (text, at..at + ours.len())
        },
    )
}

/// A file of YAML or TOML whose container has our entry on lines of its own.
fn lines_with_ours()
-> impl Strategy<Value = (Format, [&'static str; 2], String, std::ops::Range<usize>)> {
    const YAML_OURS: &str = "  ozbrain: # ours\n    # ours\n    cmd: x\n    args:\n    - y # ours";
    const TOML_OURS: &str =
        "[mcp_servers.ozbrain] # ours\n# ours\ncmd = 'x'\nargs = [\n 'y', # ours\n] # ours";
    let yaml = prop_oneof![
        Just("  KEY: 1 # why"),
        Just("  # note"),
        Just("    # deeper"),
        Just("# at the edge"),
        Just(""),
        Just("  KEY:\n    cmd: x"),
        Just("  KEY: | # text\n    # text"),
        Just("  KEY: {a: '#', } # end"),
    ];
    let toml = prop_oneof![
        Just("# note"),
        Just("\t# KEY = 1"),
        Just(""),
        Just("[mcp_servers.KEY] # head\ncmd = 'x'"),
        Just("[KEY]\ncmd = '#' # why"),
        Just("[[many]]"),
        Just("[mcp_servers.KEY.env]\nA = [ # a\n]"),
    ];
    let sides = |yaml: bool, head: &'static str, ours: &'static str, tail: &'static str| {
        move |(before, after, crlf): (Vec<&str>, Vec<&str>, bool)| {
            let lines: Vec<String> = std::iter::once(head)
                .chain(before)
                .chain([ours])
                .chain(after)
                .chain([tail])
                .enumerate()
                .map(|(at, line)| line.replace("KEY", &format!("k{at}")))
                .collect();
            let mut text = lines.join("\n");
            let mut ours = ours.to_owned();
            if crlf {
                (text, ours) = (text.replace('\n', "\r\n"), ours.replace('\n', "\r\n"));
            }
            let at = text.find(&ours).unwrap();
            let (format, path) = if yaml {
                (Format::Yaml, YAML_PATH)
            } else {
                (Format::Toml, TOML_PATH)
            };
            (format, path, text, at..at + ours.len())
        }
    };
    let some = |line: BoxedStrategy<&'static str>| {
        let lines = proptest::collection::vec(line, 0..4);
        (lines.clone(), lines, any::<bool>())
    };
    prop_oneof![
        some(yaml.boxed()).prop_map(sides(true, "extensions: # all", YAML_OURS, "b: 1 # b")),
        some(toml.boxed()).prop_map(sides(false, "a = 1 # a", TOML_OURS, "[z] # z")),
    ]
}

/// What a file says without our entry, and without a container that is empty.
fn rest(format: Format, text: &str, path: [&str; 2]) -> Tree {
    let mut tree = format.read(text).unwrap();
    tree.remove(&path);
    if tree.get(path[0]).is_some_and(Tree::is_nothing) {
        tree.remove(&path[..1]);
    }
    tree
}

fn check(format: Format, path: [&str; 2], text: &str) -> Result<(), TestCaseError> {
    let Ok(before) = format.read(text) else {
        return Err(TestCaseError::reject("no file"));
    };
    let made = match format.put(text, &path, &entry()) {
        Ok(made) => made,
        // Refused: nothing is touched. Only what is truly unsure may be.
        Err(fault) => {
            prop_assert!(fault.kind == FaultKind::Twice, "{:?}", fault);
            return Ok(());
        }
    };
    prop_assert_eq!(rest(format, &made, path), rest(format, text, path));
    prop_assert_eq!(
        format.read(&made).unwrap().at(&path).map(sorted),
        Some(sorted(&entry()))
    );
    prop_assert_eq!(&format.put(&made, &path, &entry()).unwrap(), &made);
    let emptied = before.get(path[0]).is_some_and(Tree::is_nothing);
    prop_assert!(holds(text, &made), "{}", made);
    let with_container = before.get(path[0]).is_none();
    let back = format.remove(&made, path, with_container).unwrap();
    prop_assert_eq!(rest(format, &back, path), rest(format, text, path));
    prop_assert_eq!(bare(&back), bare(text), "{}", made);
    if !emptied && before != Tree::empty() {
        prop_assert_eq!(&back, text, "{}", made);
    }
    Ok(())
}

fn toml_file() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("# note [x] = 1".to_owned()),
        Just(String::new()),
        Just("KEY = 1 # why".to_owned()),
        Just("KEY = \"a # b\"".to_owned()),
        Just("KEY = [\n  1, # one\n  2,\n]".to_owned()),
        Just("KEY = '''\n[mcp_servers.no]\n'''".to_owned()),
        Just("KEY.deep.er = true".to_owned()),
        Just("KEY = { a = 1, b = \"}\" }".to_owned()),
        Just("[KEY]".to_owned()),
        Just("[KEY.sub]".to_owned()),
        Just("[[KEY]]".to_owned()),
        Just("[mcp_servers.KEY]".to_owned()),
        Just("[ mcp_servers . \"KEY\" ] # head".to_owned()),
        Just("[mcp_servers.KEY.env]".to_owned()),
        Just("\t# KEY = 1".to_owned()),
        Just("[mcp_servers]".to_owned()),
    ];
    (
        proptest::collection::vec(line, 0..10),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(lines, crlf, end)| {
            let lines: Vec<String> = lines
                .iter()
                .enumerate()
                .map(|(at, line)| line.replace("KEY", &format!("k{at}")))
                .collect();
            let mut text = lines.join("\n");
            if end && !text.is_empty() {
                text.push('\n');
            }
            if crlf {
                text.replace('\n', "\r\n")
            } else {
                text
            }
        })
}

fn yaml_file() -> impl Strategy<Value = String> {
    let child = prop_oneof![
        Just("KEY: 1 # why".to_owned()),
        Just("# note: x".to_owned()),
        Just(String::new()),
        Just("KEY:\n  cmd: \"a: b\"\n  args:\n  - x\n  - y: 1".to_owned()),
        Just("KEY: {a: 1, b: [x, '}']}".to_owned()),
        Just("KEY: |\n  text: x\n\n  more".to_owned()),
        Just("KEY: >-\n  folded\n  text".to_owned()),
        Just("KEY: \"two\n  lines\"".to_owned()),
        Just("KEY:".to_owned()),
        Just("'KEY x': ~".to_owned()),
        Just("KEY: { a: 1 } # }".to_owned()),
        Just("KEY: [ # [\n  1, '#' ,\n  ] # ]".to_owned()),
        Just("KEY: | # head\n  # text\n # tail".to_owned()),
        Just("KEY: &KEY # {\n  x: 1".to_owned()),
        Just("KEY: x#y\t# z".to_owned()),
    ];
    let children = proptest::collection::vec(child, 0..5);
    let numbered = |lines: Vec<String>, name: &str| {
        let lines: Vec<String> = lines
            .iter()
            .enumerate()
            .map(|(at, line)| line.replace("KEY", &format!("{name}{at}")))
            .collect();
        lines.join("\n")
    };
    let indented = |text: &str, by: usize| {
        let blanks = " ".repeat(by);
        let lines: Vec<String> = text
            .lines()
            .map(|line| {
                if line.is_empty() {
                    String::new()
                } else {
                    format!("{blanks}{line}")
                }
            })
            .collect();
        lines.join("\n")
    };
    (
        children.clone(),
        children.clone(),
        children,
        1..5usize,
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(move |(first, inner, last, by, with, crlf, end)| {
            let mut parts = vec![numbered(first, "f")];
            if with {
                parts.push("extensions:".to_owned());
                parts.push(indented(&numbered(inner, "i"), by));
            }
            parts.push(numbered(last, "l"));
            parts.retain(|part| !part.is_empty());
            let mut text = parts.join("\n");
            if end && !text.is_empty() {
                text.push('\n');
            }
            if crlf {
                text.replace('\n', "\r\n")
            } else {
                text
            }
        })
}

/// How pairs in braces are written.
#[derive(Clone, Copy, Debug)]
struct Braces {
    container: &'static str,
    is: &'static str,
    values: [&'static str; 5],
    ours: [&'static str; 2],
}

const IN_YAML: Braces = Braces {
    container: "extensions",
    is: ": ",
    values: ["{ cmd: x }", "[a, '#}', \"b\" ]", "x#y", "{}", "'# {'"],
    ours: ["{ \"cmd\": \"x, #}\" }", "{cmd: [x, y]}"],
};

const IN_TOML: Braces = Braces {
    container: "mcp_servers",
    is: " = ",
    values: ["{ cmd = 'x' }", "[1, 2, ]", "'# }'", "{}", "\"\\\"#{\""],
    ours: ["{ cmd = \"x, #}\" }", "{cmd = ['x', 'y']}"],
};

/// Blanks, line ends and comments between braces. The words of the comments are
/// numbered where the file is put together.
fn flow_trivia() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => Just(" "),
        1 => Just(" \t"),
        3 => Just("\n  "),
        3 => Just(" # NOTE, {x: 1}\n  "),
        1 => Just(" #NOTE }\n\n \t"),
    ];
    proptest::collection::vec(piece, 0..3).prop_map(|pieces| pieces.concat())
}

/// A file with pairs in braces, ours among them at a place, if at all.
fn flow_file(
    braces: Braces,
    with_ours: bool,
) -> impl Strategy<Value = (String, Option<std::ops::Range<usize>>)> {
    let gap = flow_trivia;
    let pair = (gap(), 0..5usize, gap());
    (
        proptest::collection::vec(pair, 0..4),
        (gap(), 0..2usize, gap(), any::<prop::sample::Index>()),
        any::<bool>(),
        gap(),
        any::<[bool; 3]>(),
    )
        .prop_map(move |(pairs, ours, trailing, end, [tail, crlf, ended])| {
            let mut written: Vec<(String, bool)> = pairs
                .iter()
                .enumerate()
                .map(|(at, (before, value, after))| {
                    let value = braces.values.get(*value).unwrap();
                    (format!("{before}k{at}{}{value}{after}", braces.is), false)
                })
                .collect();
            if with_ours {
                let (before, value, after, place) = ours;
                let value = braces.ours.get(value).unwrap();
                let pair = format!("{before}ozbrain{}{value}{after}", braces.is);
                written.insert(place.index(written.len() + 1), (pair, true));
            }
            let mut text = format!(
                "first{}1 # NOTE\n{}{}{{",
                braces.is, braces.container, braces.is
            );
            let last = written.len().saturating_sub(1);
            for (at, (pair, _)) in written.iter().enumerate() {
                text.push_str(pair);
                if at < last || (trailing && !written.is_empty()) {
                    text.push(',');
                }
            }
            text.push_str(&end);
            text.push('}');
            if tail {
                text.push_str(" # NOTE }");
            }
            text.push_str(&format!("\nlast{}2", braces.is));
            if ended {
                text.push('\n');
            }
            if crlf {
                text = text.replace('\n', "\r\n");
            }
            let mut parts = text.split("NOTE");
            let mut numbered = parts.next().unwrap_or_default().to_owned();
            for (at, part) in parts.enumerate() {
                numbered.push_str(&format!("note{at}{part}"));
            }
            let ours = braces.ours.iter().find_map(|value| {
                let pair = format!("ozbrain{}{value}", braces.is);
                let at = numbered.find(&pair)?;
                Some(at..at + pair.len())
            });
            (numbered, ours)
        })
}

/// Takes ours out of a text that has it in one piece, and one comma at the most
/// with it; all else stays, blanks and line ends not counted.
fn goes_alone(
    format: Format,
    path: [&str; 2],
    text: &str,
    ours: std::ops::Range<usize>,
) -> Result<(), TestCaseError> {
    if format.read(text).is_err() {
        return Err(TestCaseError::reject("no file"));
    }
    let left = format.remove(text, path, false);
    prop_assert!(left.is_ok(), "{:?}", left);
    let left = left.unwrap();
    prop_assert_eq!(rest(format, &left, path), rest(format, text, path));
    let others = format!("{}{}", &text[..ours.start], &text[ours.end..]);
    prop_assert!(holds(&left.replace(',', ""), &others), "{}", left);
    prop_assert!(holds(&others.replace(',', ""), &left), "{}", left);
    let commas = |text: &str| text.matches(',').count();
    prop_assert!(commas(&left) + 1 >= commas(&others), "{}", left);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_yaml_in_braces_keeps_its_bytes((text, _) in flow_file(IN_YAML, false)) {
        check(Format::Yaml, YAML_PATH, &text)?;
    }

    #[test]
    fn any_toml_in_braces_keeps_its_bytes((text, _) in flow_file(IN_TOML, false)) {
        check(Format::Toml, TOML_PATH, &text)?;
    }

    #[test]
    fn ours_goes_alone_out_of_yaml_in_braces((text, ours) in flow_file(IN_YAML, true)) {
        goes_alone(Format::Yaml, YAML_PATH, &text, ours.unwrap())?;
    }

    #[test]
    fn ours_goes_alone_out_of_toml_in_braces((text, ours) in flow_file(IN_TOML, true)) {
        goes_alone(Format::Toml, TOML_PATH, &text, ours.unwrap())?;
    }

    #[test]
    fn ours_goes_alone_out_of_json((text, ours) in json_with_ours()) {
        goes_alone(LENIENT, JSON_PATH, &text, ours)?;
    }

    #[test]
    fn ours_goes_alone_out_of_lines((format, path, text, ours) in lines_with_ours()) {
        goes_alone(format, path, &text, ours)?;
    }

    #[test]
    fn any_json_keeps_its_bytes(text in json_file()) {
        check(LENIENT, JSON_PATH, &text)?;
    }

    #[test]
    fn any_toml_keeps_its_bytes(text in toml_file()) {
        check(Format::Toml, TOML_PATH, &text)?;
    }

    #[test]
    fn any_yaml_keeps_its_bytes(text in yaml_file()) {
        check(Format::Yaml, YAML_PATH, &text)?;
    }

    #[test]
    fn no_text_makes_it_stumble(text in "[\\[\\]{}:,\"'#/*=\\-a-c \n\r\t|&>]{0,40}") {
        for (format, path) in [(LENIENT, JSON_PATH), (STRICT, JSON_PATH), (Format::Toml, TOML_PATH), (Format::Yaml, YAML_PATH)] {
            if let Ok(made) = format.put(&text, &path, &entry()) {
                prop_assert_eq!(rest(format, &made, path), rest(format, &text, path));
                let back = format.remove(&made, path, false).unwrap();
                prop_assert_eq!(rest(format, &back, path), rest(format, &text, path));
            }
        }
    }
}
