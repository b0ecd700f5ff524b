//! Build script: builds the console with Vite, and compresses the OpenAPI document, because the crate embeds them. On machines without Node, set
//! `FLAGDECK_FRONTEND_DIST` to a folder with a finished build.

use std::error::Error;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;

/// Inputs of the Vite build. A change of one of them runs the build again.
const INPUTS: [&str; 7] =
    ["src", "public", "index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=FLAGDECK_FRONTEND_DIST");
    let dist = match std::env::var_os("FLAGDECK_FRONTEND_DIST") {
        Some(dist) => {
            println!("cargo::rerun-if-changed={}", Path::new(&dist).display());
            PathBuf::from(dist)
        }
        None => build(&Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("frontend"))?,
    };
    let page = dist.join("index.html");
    if !page.is_file() {
        return Err(
            format!("{} is missing: the folder contains no build of the console", page.display()).into()
        );
    }
    println!("cargo::rustc-env=FLAGDECK_FRONTEND={}", dist.canonicalize()?.display());
    compress("src/openapi/openapi.json", &Path::new(&std::env::var("OUT_DIR")?).join("openapi.json.gz"))
}

fn compress(file: &str, output: &Path) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={file}");
    let mut encoder = GzEncoder::new(File::create(output)?, Compression::best());
    encoder.write_all(&fs::read(file)?)?;
    encoder.finish()?;
    Ok(())
}

/// Builds the console, and installs its packages before if the lock file has changed. Returns the output folder.
fn build(frontend: &Path) -> Result<PathBuf, Box<dyn Error>> {
    for input in INPUTS {
        println!("cargo::rerun-if-changed=frontend/{input}");
    }
    let modified = |path: &str| fs::metadata(frontend.join(path)).and_then(|file| file.modified()).ok();
    if modified("package-lock.json") > modified("node_modules/.package-lock.json") {
        npm(frontend, &["ci", "--no-audit", "--no-fund"])?;
    }
    npm(frontend, &["run", "--silent", "build"])?;
    Ok(frontend.join("dist"))
}

fn npm(frontend: &Path, arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    let output = Command::new("npm").args(arguments).current_dir(frontend).output().map_err(|error| {
        format!(
            "cannot run npm, which builds the console: {error}; install Node 20 or newer, or set \
             FLAGDECK_FRONTEND_DIST to a finished build"
        )
    })?;
    if output.status.success() {
        return Ok(());
    }
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Err(format!("npm {} failed in {}:\n{stdout}{stderr}", arguments.join(" "), frontend.display()).into())
}
