//! The embedded flag service: its URL table.
