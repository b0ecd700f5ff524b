//! Paths: which of them go upstream, and as what.

#![no_main]

use flagdeck::proxy::properties;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| properties::path(input));
