//! Headers, one a line: which of them cross.

#![no_main]

use flagdeck::proxy::properties;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| properties::headers(input));
