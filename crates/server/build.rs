//! Makes Cargo notice that the screens were built anew: a program that carries
//! them, one without debug assertions, is then built anew too. Others read them
//! from their folder while they run.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_CFG_DEBUG_ASSERTIONS").is_none() {
        println!("cargo::rerun-if-changed=../../ui/dist");
    }
}
