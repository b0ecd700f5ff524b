//! Compares the evaluation with `unleash-yggdrasil` and the Node client library: same toggles, same contexts, alternating
//! rounds. Run it with `make bench`. It takes half a minute.

#![expect(clippy::print_stdout, reason = "a benchmark prints its report")]

mod hostile;
#[path = "../median.rs"]
mod median;
mod node;

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use allocation_counter::measure;
use flagdeck::evaluation::{Context, Definitions, Toggles, VARIANT_SEED};
use serde_json::{Value, json};
use unleash_types::client_features::Context as OtherContext;
use unleash_yggdrasil::{EngineState, UpdateMessage};

use self::median::median;
use self::node::NodeLibrary;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Toggles of a large installation, and contexts of a large population.
const TOGGLES: usize = 2_000;
const CONTEXTS: usize = 10_000;
const ROUNDS: usize = 7;

/// The same toggles in both engines.
struct Engines {
    own: Toggles,
    other: EngineState,
}

/// The same context for all engines.
struct Input {
    own: Context,
    other: OtherContext,
    json: Value,
}

/// A measured task.
struct Task {
    name: &'static str,
    toggles: Vec<String>,
    contexts: Vec<Input>,
    /// Repetitions in each round.
    repeat: usize,
}

impl Engines {
    fn new(definitions: &Value) -> Outcome<Self> {
        let other = EngineState::default();
        other.take_state(UpdateMessage::FullResponse(serde_json::from_value(definitions.clone())?));
        let definitions: Definitions = serde_json::from_value(definitions.clone())?;
        Ok(Self { own: Toggles::compile(&definitions, VARIANT_SEED), other })
    }

    /// Evaluates every toggle for every context, including variants. Returns the number of results that are on.
    fn run_own(&self, task: &Task) -> usize {
        let toggles = task.toggles.iter().filter_map(|name| self.own.find(name));
        let pairs = toggles.flat_map(|toggle| task.contexts.iter().map(move |context| (toggle, context)));
        pairs
            .filter(|(toggle, context)| self.own.evaluate(toggle, black_box(&context.own)).outcome.is_on())
            .count()
    }

    /// Evaluates every toggle for every context, without variants.
    fn run_other(&self, task: &Task) -> usize {
        let pairs =
            task.toggles.iter().flat_map(|name| task.contexts.iter().map(move |context| (name, context)));
        pairs.filter(|(name, context)| self.other.is_enabled(name, black_box(&context.other), &None)).count()
    }
}

fn name(index: usize) -> String {
    format!("shop.area-{:02}.flag-{index:05}", index % 40)
}

/// The first toggle is on for everyone. The others have a rollout with two constraints and a segment, and a list of users.
fn toggle(index: usize) -> Value {
    let name = name(index);
    if index == 0 {
        return json!({ "name": name, "enabled": true, "strategies": [{ "name": "default" }] });
    }
    let users: Vec<_> = (0..20).map(|user| format!("user-{}", index * 7 + user)).collect();
    let rollout = json!({
        "name": "flexibleRollout",
        "parameters": { "rollout": (index % 101).to_string(), "stickiness": "userId", "groupId": name },
        "constraints": [
            { "contextName": "environment", "operator": "IN", "values": ["staging", "production"] },
            { "contextName": "appVersion", "operator": "SEMVER_GTE", "value": "2.4.0" },
        ],
        "segments": [1],
    });
    json!({
        "name": name, "enabled": true,
        "strategies": [{ "name": "userWithId", "parameters": { "userIds": users.join(",") } }, rollout],
    })
}

fn definitions() -> Value {
    let country = json!({ "contextName": "country", "operator": "NOT_IN", "values": ["US", "CA"] });
    let features: Vec<_> = (0..TOGGLES).map(toggle).collect();
    json!({ "version": 2, "features": features, "segments": [{ "id": 1, "constraints": [country] }] })
}

fn context(user: usize) -> Outcome<Input> {
    let json = json!({
        "userId": format!("user-{user}"), "environment": "production", "appName": "shop",
        "properties": { "appVersion": "2.10.1", "country": "NO", "plan": "gold" },
    });
    Ok(Input {
        own: serde_json::from_value(json.clone())?,
        other: serde_json::from_value(json.clone())?,
        json,
    })
}

fn tasks() -> Outcome<[Task; 4]> {
    let one = || Ok::<_, Box<dyn Error>>(vec![context(1)?]);
    let many: Outcome<Vec<_>> = (0..CONTEXTS).map(context).collect();
    let task = |name, toggles, contexts, repeat| Task { name, toggles, contexts, repeat };
    Ok([
        task("1 toggle, default strategy", vec![name(0)], one()?, 100_000),
        task("1 toggle, targeting", vec![name(50)], one()?, 100_000),
        task("10,000 contexts, 1 toggle", vec![name(50)], many?, 5),
        task("1 context, 2,000 toggles", (0..TOGGLES).map(name).collect(), one()?, 5),
    ])
}

fn time(repeat: usize, run: impl Fn() -> usize) -> Duration {
    let start = Instant::now();
    for _ in 0..repeat {
        black_box(run());
    }
    start.elapsed() / u32::try_from(repeat).unwrap_or(1)
}

/// Adds the tasks to the definitions, for the Node library.
fn with_tasks(mut definitions: Value, tasks: &[Task]) -> Value {
    let to_json = |task: &Task| {
        let contexts: Vec<_> = task.contexts.iter().map(|context| &context.json).collect();
        json!({ "toggles": task.toggles, "contexts": contexts, "repeat": task.repeat })
    };
    let tasks: Value = tasks.iter().map(to_json).collect();
    definitions.as_object_mut().map(|object| object.insert("tasks".to_owned(), tasks));
    definitions
}

fn main() -> Outcome<()> {
    let definitions = definitions();
    let engines = Engines::new(&definitions)?;
    let tasks = tasks()?;
    let (mut node, counts) = NodeLibrary::start(&with_tasks(definitions, &tasks))?;
    println!(
        "Medians of {ROUNDS} rounds; ratios to Flagdeck.\n\n{:<28}{:>13}{:>13}{:>24}{:>24}",
        "", "Flagdeck", "allocations", "Yggdrasil", "unleash-client 6 (Node)"
    );
    for (index, task) in tasks.iter().enumerate() {
        let on = engines.run_own(task);
        if on != engines.run_other(task) || Some(&on) != counts.get(index) {
            return Err(format!("{}: the results differ", task.name).into());
        }
        let allocate = || {
            black_box(engines.run_own(task));
        };
        let allocations = measure(allocate).count_total;
        let mut rounds = Vec::new();
        for _ in 0..ROUNDS {
            let own = time(task.repeat, || engines.run_own(task));
            let other = time(task.repeat, || engines.run_other(task));
            rounds.push([own, other, node.time(index)?]);
        }
        let [own, other, node] = [0, 1, 2].map(|engine| {
            let times = rounds.iter().filter_map(|round| round.get(engine).copied());
            median(times).as_secs_f64() * 1e6
        });
        let [other_ratio, node_ratio] = [other / own, node / own];
        println!(
            "{:<28}{own:>10.2} µs{allocations:>13}{other:>11.2} µs{other_ratio:>8.1} ×{node:>11.2} µs{node_ratio:>8.1} ×",
            task.name
        );
    }
    println!("\nFlagdeck also selects the variant.");
    hostile::print_times()
}
