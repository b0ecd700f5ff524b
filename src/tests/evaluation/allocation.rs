//! Allocations of an evaluation.

use allocation_counter::measure;
use flagdeck::evaluation::{Context, Toggles, VARIANT_SEED};

use super::generator::{Generator, TOGGLES, toggle_name};

/// Evaluations do not allocate memory, with the exceptions that `src/evaluation.rs` names.
#[test]
fn evaluations_allocate_no_memory() {
    let mut evaluated = 0;
    for seed in 0..200 {
        let mut generator = Generator(seed);
        let json = generator.definitions();
        let text = json.to_string();
        if text.contains("REGEX") || text.contains(r#""caseInsensitive":true"#) {
            continue;
        }
        let toggles = Toggles::compile(&serde_json::from_value(json).unwrap(), VARIANT_SEED);
        for _ in 0..20 {
            let context: Context = serde_json::from_value(generator.context()).unwrap();
            for index in 0..TOGGLES {
                let toggle = toggles.find(&toggle_name(index)).unwrap();
                let allocations = measure(|| {
                    std::hint::black_box(toggles.evaluate(toggle, &context));
                });
                // The list of the results of segments is the only allocation.
                let has_segments =
                    u64::from(["1", "2"].iter().any(|id| text.contains(&format!(r#""segments":[{id}"#))));
                assert!(allocations.count_total <= has_segments, "{text}");
                evaluated += 1;
            }
        }
    }
    assert!(evaluated > 100, "{evaluated} evaluations");
}
