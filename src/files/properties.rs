//! Properties of files with toggles that hold for any input. The fuzz target calls them.

use super::document::Document;

/// Checks that a text is read or refused without a panic, that a fault has a place in the text, and that a file that is read, written
/// and read again is the same.
///
/// # Panics
/// If one of these does not hold.
pub fn check_document(text: &str) {
    match Document::parse(text) {
        Ok(document) => check_roundtrip(&document),
        Err(fault) => assert!(fault.line >= 1 && fault.column >= 1, "{fault}"),
    }
}

/// Checks that a file that is written and read again is the same.
///
/// # Panics
/// If it is not.
pub fn check_roundtrip(document: &Document) {
    let written = document.to_yaml();
    let reread = written.as_ref().map(|yaml| Document::parse(yaml));
    let is_same = matches!(&reread, Ok(Ok(reread)) if reread == document);
    assert!(is_same, "{document:?} is written as {written:?}, which is read as {reread:?}");
}
