//! Files that are written and read again, and texts that are no files.

use std::collections::BTreeMap;

use flagdeck::api::{PayloadType, WeightType};
use flagdeck::files::document::{
    Document, FileConstraint, FileDependency, FilePayload, FileStrategy, FileTag, FileToggle, FileVariant,
};
use flagdeck::files::properties::{check_document, check_roundtrip};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::{ProptestConfig, Strategy, any, prop_oneof, proptest};

/// Texts that look like other values, or like the syntax of YAML.
const TRAPS: [&str; 45] = [
    "",
    "~",
    "null",
    "true",
    "False",
    "yes",
    "NO",
    "on",
    "Off",
    "y",
    "n",
    "010",
    "0o10",
    "0x1F",
    "0b1",
    "1_000",
    "+5",
    "-5",
    "1e3",
    ".5",
    "1.",
    "12:30",
    "1:30:00",
    "0:30",
    "0:30.5",
    "1:60",
    "0b2",
    "0o8",
    ".nan",
    "-.inf",
    "2001-01-01",
    "<<",
    "=",
    "- a",
    "a: b",
    "a #b",
    "&a",
    "*a",
    "!a",
    "%a",
    "@a",
    "`a",
    "[",
    "{",
    "---",
];

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::sample::select(TRAPS.to_vec()).prop_map(str::to_owned),
        any::<String>(),
        "[-+]?[0-9][0-9_:.xobeE]{0,7}",
        "[ \\t\\r\\n\u{85}\u{2028}\u{feff}a:#'\\\\\"|>-]{0,12}",
    ]
}

fn variants() -> impl Strategy<Value = FileVariant> {
    let payload = option::of(texts().prop_map(|value| FilePayload { kind: PayloadType::String, value }));
    (texts(), 0_u32..1001, option::of(texts()), payload).prop_map(|(name, weight, stickiness, payload)| {
        FileVariant { name, weight, weight_type: WeightType::Fix, stickiness, payload, overrides: None }
    })
}

fn strategies() -> impl Strategy<Value = FileStrategy> {
    let constraint = (texts(), texts(), option::of(vec(texts(), 0..3)), option::of(any::<bool>())).prop_map(
        |(context_name, operator, values, inverted)| FileConstraint {
            context_name,
            operator,
            values,
            value: None,
            inverted,
            case_insensitive: None,
        },
    );
    let parameters = btree_map(texts(), texts(), 0..3);
    (
        texts(),
        option::of(texts()),
        parameters,
        vec(constraint, 0..3),
        vec(texts(), 0..3),
        vec(variants(), 0..2),
    )
        .prop_map(|(name, title, parameters, constraints, segments, variants)| FileStrategy {
            name,
            title,
            disabled: None,
            parameters,
            constraints,
            segments,
            variants,
        })
}

fn toggles() -> impl Strategy<Value = FileToggle> {
    let parent = (texts(), option::of(any::<bool>())).prop_map(|(feature, enabled)| FileDependency {
        feature,
        enabled,
        variants: None,
    });
    let tag = (texts(), texts()).prop_map(|(kind, value)| FileTag { kind, value });
    (
        option::of(texts()),
        option::of(any::<bool>()),
        option::of(vec(strategies(), 0..3)),
        option::of(vec(variants(), 0..3)),
        option::of(vec(parent, 0..2)),
        option::of(proptest::collection::btree_set(tag, 0..3)),
    )
        .prop_map(|(description, enabled, strategies, variants, dependencies, tags)| FileToggle {
            description,
            enabled,
            strategies,
            variants,
            dependencies,
            tags,
            ..FileToggle::default()
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn files_are_read_as_they_were_written(toggles in btree_map(texts(), toggles(), 0..4)) {
        let toggles: BTreeMap<_, _> = toggles;
        check_roundtrip(&Document::new(toggles));
    }

    #[test]
    fn any_text_is_read_or_refused(text in texts(), rest in "[a-z0-9:{}\\[\\]&*!'\"|>%@#,?\\n -]{0,60}") {
        check_document(&text);
        check_document(&rest);
        check_document(&format!("version: 1\ntoggles:\n  a:\n    description: {text}\n    {rest}\n"));
    }
}
