//! Logging: `tracing` events to standard error, so that standard output holds nothing but the address.

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

/// Installs the process-wide subscriber. A second call changes nothing: tests start many apps in one process.
pub fn init(log: &Log) {
    let lines = layer().with_writer(|| Lines).with_target(false).with_timer(Time);
    let lines = match log.format {
        LogFormat::Text if io::stderr().is_terminal() => lines.boxed(),
        // The library looks for colours in each piece of a line, also where there are none.
        LogFormat::Text => lines.with_ansi(false).fmt_fields(Fields).boxed(),
        LogFormat::Json => lines.json().boxed(),
    };
    drop(registry().with(lines).with(log.filter.clone()).try_init());
}

/// Fields as the library writes them, in fewer pieces.
struct Fields;

impl<'writer> FormatFields<'writer> for Fields {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'writer>, fields: R) -> fmt::Result {
        let mut line = Line { writer, written: Ok(()), between: "" };
        fields.record(&mut line);
        line.written
    }
}

struct Line<'writer> {
    writer: Writer<'writer>,
    written: fmt::Result,
    between: &'static str,
}

impl Line<'_> {
    fn put(&mut self, field: &Field, value: impl FnOnce(&mut Writer<'_>) -> fmt::Result) {
        let put = || {
            self.writer.write_str(self.between)?;
            if field.name() != "message" {
                self.writer.write_str(field.name())?;
                self.writer.write_str("=")?;
            }
            value(&mut self.writer)
        };
        self.written = self.written.and_then(|()| put());
        self.between = " ";
    }
}

impl Visit for Line<'_> {
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

/// Now, to the microsecond.
struct Time;

impl FormatTime for Time {
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        write!(writer, "{:.6}", Timestamp::now())
    }
}

thread_local! {
    static TURN: RefCell<Turn> = const { RefCell::new(Turn { lines: Vec::new(), writer: None }) };
}

/// What a worker has to write once it has done what there was to do: a system call for each line would cost as much as
/// the rest of what a request needs of the processor, and workers would wait for each other at each.
struct Turn {
    lines: Vec<u8>,
    /// Wakes who writes them; nobody does on other threads.
    writer: Option<Waker>,
}

impl Turn {
    /// Nobody is left who could be told of a fault.
    fn write(&mut self) {
        drop(io::stderr().write_all(&self.lines));
        self.lines.clear();
    }
}

/// Collects the lines of this thread and writes those of one turn together, for as long as it is polled.
pub(crate) async fn write_in_turns() {
    let _ends = Ends;
    let write = |cx: &mut Context<'_>| {
        TURN.with_borrow_mut(|turn| {
            turn.write();
            turn.writer.get_or_insert_with(|| cx.waker().clone());
        });
        Poll::<Infallible>::Pending
    };
    poll_fn(write).await;
}

/// From here on each line is written as it comes.
struct Ends;

impl Drop for Ends {
    fn drop(&mut self) {
        let end = |turn: &RefCell<Turn>| {
            let mut turn = turn.borrow_mut();
            turn.write();
            turn.writer = None;
        };
        TURN.try_with(end).unwrap_or_default();
    }
}

/// Standard error.
struct Lines;

impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let is_collected = TURN.try_with(|turn| {
            let Turn { lines, writer } = &mut *turn.borrow_mut();
            let Some(writer) = writer else { return false };
            if lines.is_empty() {
                writer.wake_by_ref();
            }
            lines.extend_from_slice(line);
            true
        });
        if is_collected.unwrap_or_default() { Ok(line.len()) } else { io::stderr().write(line) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
