//! Fuzzes the evaluation of toggles. The input holds the definitions and, after a line break, a context.

#![no_main]

use flagdeck::evaluation::properties;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| properties::check_evaluation(input));
