//! Memory for the parts of request bodies that are read before a connection to the upstream is leased. The total is
//! limited for each worker.

use std::cell::Cell;
use std::rc::Rc;

use bytes::{Bytes, BytesMut};

/// Memory budget for the buffered bodies of one worker.
pub(crate) struct BodyMemory {
    used: Cell<usize>,
    limit: usize,
}

impl BodyMemory {
    pub(crate) fn new(limit: usize) -> Self {
        Self { used: Cell::new(0), limit }
    }

    /// Returns true if no further bytes should be waited for.
    pub(super) fn is_used_up(&self) -> bool {
        self.used.get() >= self.limit
    }
}

/// The part of one body that has been read ahead. Its bytes count as used until it is taken or dropped.
pub(super) struct BufferedBody {
    /// Grows with the bytes that arrive. It is not allocated by `Content-Length`, which a client can set to any value.
    bytes: BytesMut,
    memory: Rc<BodyMemory>,
}

impl BufferedBody {
    pub(super) fn new(memory: &Rc<BodyMemory>) -> Self {
        Self { bytes: BytesMut::new(), memory: Rc::clone(memory) }
    }

    /// Appends a copy of a chunk. The chunk itself is not stored, because even a chunk of one byte keeps the whole read
    /// buffer of its connection in memory.
    pub(super) fn push(&mut self, chunk: &[u8]) {
        self.bytes.extend_from_slice(chunk);
        self.memory.used.set(self.memory.used.get() + chunk.len());
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn take_bytes(mut self) -> Bytes {
        self.release();
        std::mem::take(&mut self.bytes).freeze()
    }

    fn release(&self) {
        self.memory.used.set(self.memory.used.get().saturating_sub(self.bytes.len()));
    }
}

impl Drop for BufferedBody {
    fn drop(&mut self) {
        self.release();
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::{BodyMemory, BufferedBody};

    #[test]
    fn memory_is_used_until_a_body_is_taken_or_dropped() {
        let memory = Rc::new(BodyMemory::new(4));
        let (mut first, mut second) = (BufferedBody::new(&memory), BufferedBody::new(&memory));
        first.push(b"ab");
        assert!(!memory.is_used_up());
        second.push(b"cd");
        assert!(memory.is_used_up());
        assert_eq!(first.take_bytes(), "ab");
        assert!(!memory.is_used_up());
        second.push(b"ef");
        assert!(memory.is_used_up());
        drop(second);
        assert_eq!(memory.used.get(), 0);
    }
}
