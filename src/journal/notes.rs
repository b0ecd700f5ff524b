//! Facts about a request that its handler adds to the line in the journal. The middleware puts them into the extensions of each
//! request that has a line.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use actix_web::HttpMessage as _;
use actix_web::HttpRequest;
use parking_lot::Mutex;

use super::{Item, LineKind, Person};

/// Maximum number of events whose ids and words are in a line. An import records thousands.
const MAX_EVENTS: usize = 5;

/// The notes about one request.
#[derive(Debug, Default)]
pub struct Notes {
    person: RefCell<Option<Person>>,
    kind: Cell<Option<LineKind>>,
    events: RecordedEvents,
    attempt: RefCell<Option<Attempt>>,
}

/// The events that a change records in the history. Clones share the list.
#[derive(Debug, Clone, Default)]
pub struct RecordedEvents(Arc<Mutex<EventList>>);

/// The first events of a change.
#[derive(Debug, Clone, Default)]
pub(crate) struct EventList {
    pub(crate) ids: Vec<i64>,
    pub(crate) words: Vec<String>,
    pub(crate) items: Vec<Item>,
    /// Number of all events.
    pub(crate) count: usize,
}

/// A change that a person attempts, in the words of the handler, which knows more about it than the path of the request does.
#[derive(Debug, Clone)]
pub(crate) struct Attempt {
    /// The item that is changed.
    pub(crate) item: Item,
    /// A verb and its object, such as "apply the plan 12ab".
    pub(crate) words: String,
}

impl Notes {
    /// Creates the notes of a request whose line has this kind; `None` if the handler decides about it.
    #[must_use]
    pub(crate) fn new(kind: Option<LineKind>) -> Self {
        Self { kind: Cell::new(kind), ..Self::default() }
    }

    /// Returns the notes of a request; `None` if it has no line in the journal.
    #[must_use]
    pub fn from_request(request: &HttpRequest) -> Option<Rc<Self>> {
        request.extensions().get::<Rc<Self>>().cloned()
    }

    /// Sets the person who sent the request.
    pub fn set_person(&self, person: Person) {
        self.person.replace(Some(person));
    }

    /// Marks the request as a sign-in or sign-out. A request with a safe method has a line only if it is marked.
    pub fn set_session_change(&self, kind: LineKind) {
        self.kind.set(Some(kind));
    }

    /// Removes the mark of [`Self::set_session_change`]: nobody has signed in or out.
    pub fn clear_session_change(&self) {
        self.kind.set(None);
    }

    /// Describes the change. The line contains the words also if the change is refused.
    pub(crate) fn set_attempt(&self, attempt: Attempt) {
        self.attempt.replace(Some(attempt));
    }

    pub(crate) fn attempt(&self) -> Option<Attempt> {
        self.attempt.borrow().clone()
    }

    /// Returns the list of the events that the request records.
    #[must_use]
    pub fn events(&self) -> &RecordedEvents {
        &self.events
    }

    pub(crate) fn person(&self) -> Option<Person> {
        self.person.borrow().clone()
    }

    pub(crate) fn kind(&self) -> Option<LineKind> {
        self.kind.get()
    }
}

impl RecordedEvents {
    /// Returns true if the line can contain the next event.
    pub(crate) fn has_space(&self) -> bool {
        self.0.lock().ids.len() < MAX_EVENTS
    }

    /// Adds an event. The words are a verb and its object, such as "switched on the toggle shop.pay".
    pub(crate) fn add(&self, id: i64, item: Item, words: String) {
        let mut events = self.0.lock();
        events.count += 1;
        events.ids.push(id);
        events.words.push(words);
        events.items.push(item);
    }

    /// Adds a change that is not in the history. The words are like those of [`Self::add`].
    pub(crate) fn add_unrecorded(&self, item: Item, words: String) {
        let mut events = self.0.lock();
        events.count += 1;
        events.words.push(words);
        events.items.push(item);
    }

    /// Counts an event that the line does not contain.
    pub(crate) fn count_further(&self) {
        self.0.lock().count += 1;
    }

    pub(crate) fn list(&self) -> EventList {
        self.0.lock().clone()
    }
}
