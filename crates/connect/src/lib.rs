//! Finds the MCP clients on this computer and edits their configuration
//! without touching anything else.

mod text;
