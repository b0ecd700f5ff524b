//! The first bytes of an answer.

#![no_main]

use flagdeck::proxy::properties;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| properties::answer(input));
