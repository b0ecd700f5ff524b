//! Logging: writes `tracing` events to standard error. Standard output contains only the address of the console.

use std::cell::RefCell;
use std::convert::Infallible;
use std::fmt::{self, Debug};
use std::future::poll_fn;
use std::io::{self, IsTerminal as _, Write};
use std::task::{Context, Poll, Waker};

use jiff::Timestamp;
use tracing::field::{Field, Visit};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::FormatFields;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::layer;
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, registry};

use crate::config::{Log, LogFormat};
use crate::terminal::{EscapedWriter, escape_json};

/// Installs the process-wide subscriber. A second call changes nothing: tests start many apps in one process.
pub fn init(log: &Log) {
    let lines = layer().with_target(false).with_timer(MicrosecondTime);
    let lines = match log.format {
        LogFormat::Text => {
            let lines = lines.with_writer(|| LogWriter).with_ansi(io::stderr().is_terminal());
            lines.fmt_fields(CompactFields).boxed()
        }
        LogFormat::Json => lines.with_writer(|| EscapedJsonWriter(LogWriter)).json().boxed(),
    };
    drop(registry().with(lines).with(log.filter.clone()).try_init());
}

/// Formats fields like the library, but with fewer writes, and escapes control characters in all values.
struct CompactFields;

impl<'writer> FormatFields<'writer> for CompactFields {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'writer>, fields: R) -> fmt::Result {
        let mut line = FieldWriter { writer, result: Ok(()), separator: "" };
        fields.record(&mut line);
        line.result
    }
}

/// Escapes control characters in lines of JSON: the library escapes only some of them.
struct EscapedJsonWriter<W>(W);

impl<W: Write> Write for EscapedJsonWriter<W> {
    /// The library writes a whole line at once.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        self.0.write_all(escape_json(&text).as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

struct FieldWriter<'writer> {
    writer: Writer<'writer>,
    result: fmt::Result,
    separator: &'static str,
}

impl FieldWriter<'_> {
    fn put(&mut self, field: &Field, value: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result) {
        let put = || {
            self.writer.write_str(self.separator)?;
            if field.name() != "message" {
                self.writer.write_str(field.name())?;
                self.writer.write_str("=")?;
            }
            value(&mut EscapedWriter(&mut self.writer))
        };
        self.result = self.result.and_then(|()| put());
        self.separator = " ";
    }
}

impl Visit for FieldWriter<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        let is_plain = |byte: u8| (b' '..=b'~').contains(&byte) && !matches!(byte, b'"' | b'\\');
        self.put(field, |writer| {
            if value.bytes().all(is_plain) {
                ["\"", value, "\""].into_iter().try_for_each(|piece| writer.write_str(piece))
            } else {
                write!(writer, "{value:?}")
            }
        });
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.put(field, |writer| write!(writer, "{value:?}"));
    }
}

/// Formats the current time with microseconds.
struct MicrosecondTime;

impl FormatTime for MicrosecondTime {
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        write!(writer, "{:.6}", Timestamp::now())
    }
}

thread_local! {
    static LOG_BUFFER: RefCell<LogBuffer> = const { RefCell::new(LogBuffer { lines: Vec::new(), flusher: None }) };
}

/// Log lines of one worker thread that are written together.
///
/// A system call per line would need as much processor time as the rest of a request, and workers would wait for each
/// other.
struct LogBuffer {
    lines: Vec<u8>,
    /// Wakes [`flush_log_buffer`]; `None` on threads without it, which write each line at once.
    flusher: Option<Waker>,
}

impl LogBuffer {
    /// Writes the lines. There is no place to report an error.
    fn flush(&mut self) {
        drop(io::stderr().write_all(&self.lines));
        self.lines.clear();
    }
}

/// Buffers the log lines of this thread while it runs. Lines that are logged during one turn of the event loop are
/// written together.
pub(crate) async fn flush_log_buffer() {
    let _stop = StopBuffering;
    let flush = |cx: &mut Context<'_>| {
        LOG_BUFFER.with_borrow_mut(|buffer| {
            buffer.flush();
            buffer.flusher.get_or_insert_with(|| cx.waker().clone());
        });
        Poll::<Infallible>::Pending
    };
    poll_fn(flush).await;
}

/// Ends the buffering when it is dropped: from then on each line is written at once.
struct StopBuffering;

impl Drop for StopBuffering {
    fn drop(&mut self) {
        let stop = |buffer: &RefCell<LogBuffer>| {
            let mut buffer = buffer.borrow_mut();
            buffer.flush();
            buffer.flusher = None;
        };
        LOG_BUFFER.try_with(stop).unwrap_or_default();
    }
}

/// Writes log lines to the buffer of the thread, or else to standard error.
struct LogWriter;

impl Write for LogWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let is_buffered = LOG_BUFFER.try_with(|buffer| {
            let LogBuffer { lines, flusher } = &mut *buffer.borrow_mut();
            let Some(flusher) = flusher else { return false };
            if lines.is_empty() {
                flusher.wake_by_ref();
            }
            lines.extend_from_slice(line);
            true
        });
        if is_buffered.unwrap_or_default() { Ok(line.len()) } else { io::stderr().write(line) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use tracing_subscriber::fmt::layer;
    use tracing_subscriber::layer::SubscriberExt as _;

    use super::{CompactFields, EscapedJsonWriter};

    #[derive(Clone, Default)]
    struct Buffer(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Buffer {
        fn write(&mut self, line: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(line);
            Ok(line.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_of_json_contain_no_control_characters() {
        let buffer = Buffer::default();
        let writer = buffer.clone();
        let lines = layer().json().with_writer(move || EscapedJsonWriter(writer.clone()));
        let hostile = "\u{1b}]0;title\u{7}\n\u{7f}\u{9b}2J\u{202e}\u{61c}";
        tracing::subscriber::with_default(tracing_subscriber::registry().with(lines), || {
            tracing::warn!(text = hostile, "{hostile}");
        });
        let text = String::from_utf8(buffer.0.lock().unwrap().clone()).unwrap();
        let line = text.strip_suffix('\n').unwrap();
        let is_hostile = |letter: char| letter.is_control() || matches!(letter, '\u{202e}' | '\u{61c}');
        assert!(!line.contains(is_hostile), "{line:?}");
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!((&line["fields"]["text"], &line["fields"]["message"]), (&hostile.into(), &hostile.into()));
    }

    #[test]
    fn lines_contain_no_control_characters() {
        let buffer = Buffer::default();
        let writer = buffer.clone();
        let lines = layer().with_ansi(false).fmt_fields(CompactFields).with_writer(move || writer.clone());
        let hostile = "\u{1b}]0;title\u{7}\nINFO forged\u{202e}";
        tracing::subscriber::with_default(tracing_subscriber::registry().with(lines), || {
            tracing::warn!(text = hostile, shown = %hostile, debug = ?hostile, "{hostile}");
        });
        let text = String::from_utf8(buffer.0.lock().unwrap().clone()).unwrap();
        assert_eq!(text.matches("title").count(), 4, "{text}");
        let line = text.strip_suffix('\n').unwrap();
        assert!(!line.contains(|letter: char| letter.is_control() || letter == '\u{202e}'), "{line:?}");
    }
}
