//! Describes the JSON schemas of request bodies.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Map, Value, json};

use super::fields::{Step, push};
use super::{Field, RequestBody, Validation};

/// The schemas of request bodies by name.
#[derive(Debug, Default, Clone)]
pub(crate) struct Components(Rc<RefCell<Map<String, Value>>>);

/// The schema of a body, to which the methods of [`Field`] add keywords.
#[derive(Debug)]
pub(super) struct Description {
    name: String,
    schema: RefCell<Value>,
    components: Components,
}

impl Components {
    /// Adds the schema of a body and returns a reference to it.
    pub(crate) fn reference<T: RequestBody>(&self) -> Value {
        self.describe(T::NAME, None, T::read);
        reference_to(T::NAME)
    }

    /// Adds the schema of the body that replaces an item, and returns a reference to it.
    pub(crate) fn replacement<T: RequestBody>(&self) -> Value {
        let name = T::NAME.replacen("New", "Replaced", 1);
        self.describe(&name, Some(String::new()), T::read);
        reference_to(&name)
    }

    /// Adds a schema and returns a reference to it.
    pub(crate) fn add(&self, name: &str, schema: Value) -> Value {
        self.0.borrow_mut().insert(name.to_owned(), schema);
        reference_to(name)
    }

    /// Returns all schemas.
    pub(crate) fn schemas(&self) -> Map<String, Value> {
        self.0.borrow().clone()
    }

    fn describe<T>(&self, name: &str, key: Option<String>, read: impl FnOnce(&Field<'_>) -> T) -> T {
        let schema = RefCell::new(json!({ "type": "object" }));
        let description = Description { name: name.to_owned(), schema, components: self.clone() };
        let validation = Validation { key, description: Some(description), ..Validation::default() };
        let value = read(&Field::root(None, &validation));
        let schema = validation.description.unwrap().schema.into_inner();
        self.add(name, schema);
        value
    }
}

impl Description {
    /// Changes the schema at a path. An empty key stands for all keys.
    pub(super) fn edit(&self, path: &[Step], edit: impl FnOnce(&mut Value)) {
        let mut schema = self.schema.borrow_mut();
        edit(path.iter().fold(&mut *schema, |schema, step| match step {
            Step::Index(_) => &mut schema["items"],
            Step::Key(key) if key.is_empty() => &mut schema["additionalProperties"],
            Step::Key(key) => &mut schema["properties"][key.as_ref()],
        }));
    }

    /// Describes an object with its own schema.
    pub(super) fn read<T: RequestBody>(&self, path: &[Step]) -> T {
        self.edit(path, |schema| *schema = reference_to(T::NAME));
        self.components.describe(T::NAME, None, T::read)
    }

    /// Describes a body with one schema for each word of a property.
    pub(super) fn select<T: Copy, R>(
        &self,
        key: &'static str,
        words: &[(&str, T)],
        read: impl Fn(&Field<'_>, T) -> R,
    ) -> Option<R> {
        let mut values = Vec::new();
        for (word, meaning) in words {
            let suffix: String = word.split('-').map(|part| part[..1].to_uppercase() + &part[1..]).collect();
            let name = self.name.clone() + &suffix;
            values.push(self.components.describe(&name, None, |body| {
                body.get(key).describe(|| json!({ "const": word })).require();
                read(body, *meaning)
            }));
            self.edit(&[], |schema| push(schema, "oneOf", reference_to(&name)));
        }
        self.edit(&[], |schema| drop(schema.as_object_mut().unwrap().remove("type")));
        values.pop()
    }
}

fn reference_to(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}
