//! Fuzzes files with toggles: reading, and writing of what was read.

#![no_main]

use flagdeck::files::properties;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| properties::check_document(input));
