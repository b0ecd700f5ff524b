//! Builds the console with Vite before the crate that embeds it. `FLAGDECK_FRONTEND_DIST` names a folder with a
//! finished build instead, for machines without Node.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Everything that the Vite build reads.
const INPUTS: [&str; 7] =
    ["src", "public", "index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=FLAGDECK_FRONTEND_DIST");
    let dist = match std::env::var_os("FLAGDECK_FRONTEND_DIST") {
        Some(ready) => {
            println!("cargo::rerun-if-changed={}", Path::new(&ready).display());
            PathBuf::from(ready)
        }
        None => build(&Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("frontend"))?,
    };
    let page = dist.join("index.html");
    if !page.is_file() {
        return Err(format!("{} is missing: the folder holds no build of the console", page.display()).into());
    }
    println!("cargo::rustc-env=FLAGDECK_FRONTEND={}", dist.canonicalize()?.display());
    Ok(())
}

/// Runs `npm ci` when the lock file is newer than what is installed, then Vite.
fn build(frontend: &Path) -> Result<PathBuf, Box<dyn Error>> {
    for input in INPUTS {
        println!("cargo::rerun-if-changed=frontend/{input}");
    }
    let changed = |path: &str| fs::metadata(frontend.join(path)).and_then(|file| file.modified()).ok();
    if changed("package-lock.json") > changed("node_modules/.package-lock.json") {
        npm(frontend, &["ci", "--no-audit", "--no-fund"])?;
    }
    npm(frontend, &["run", "--silent", "build"])?;
    Ok(frontend.join("dist"))
}

fn npm(frontend: &Path, arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    let ran = Command::new("npm").args(arguments).current_dir(frontend).output().map_err(|error| {
        format!(
            "the console is built with Node 20 or newer, and npm cannot be run ({error}); install Node, or set \
             FLAGDECK_FRONTEND_DIST to a finished build"
        )
    })?;
    if ran.status.success() {
        return Ok(());
    }
    let [said, faults] = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Err(format!("npm {} failed in {}:\n{said}{faults}", arguments.join(" "), frontend.display()).into())
}
