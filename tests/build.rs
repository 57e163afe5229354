//! The suites test the tokenizer as it stands in the core, which needs the same table there.

#[path = "../crates/snapshot-core/build/character_references.rs"]
mod character_references;

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=../crates/snapshot-core/build");
    let folder = std::env::var("OUT_DIR")?;
    std::fs::write(Path::new(&folder).join("character_references"), character_references::table())?;
    Ok(())
}
