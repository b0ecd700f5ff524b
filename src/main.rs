//! Entry point of the program: reads the arguments and the settings, runs a command or the server, and sets the exit code.

use std::error::Error;
use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;

use flagdeck::app::App;
use flagdeck::cli::{Arguments, Command, EdgeCommand};
use flagdeck::commands::CommandError;
use flagdeck::config::Config;
use flagdeck::{commands, shutdown, telemetry, terminal};
use mimalloc::MiMalloc;

/// The allocator of the system needs more time for the many small allocations of a request.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Exit code of a command whose output nobody reads, as shells report it for a program that SIGPIPE ended.
const CLOSED_PIPE: u8 = 128 + 13;

#[actix_web::main]
async fn main() -> ExitCode {
    terminal::set_colours(std::env::var_os("NO_COLOR"), std::env::var_os("TERM"));
    match EdgeCommand::read() {
        Ok(Some(command)) => return exit_code(run_edge(command).await, None),
        Ok(None) => {}
        Err(code) => return code,
    }
    match Arguments::read() {
        Ok(arguments) => exit_code(run(&arguments).await, arguments.command.as_ref()),
        Err(code) => code,
    }
}

/// Prints the error of a command or of the server, and returns the exit code.
fn exit_code(result: Result<ExitCode, Box<dyn Error>>, command: Option<&Command>) -> ExitCode {
    match result {
        Ok(code) => code,
        Err(error) if is_closed_pipe(error.as_ref()) => ExitCode::from(CLOSED_PIPE),
        Err(error) => {
            // Standard error may be closed. There is no other place for the message.
            drop(terminal::print_error(&format!("flagdeck: {error}")));
            commands::failure_code(command)
        }
    }
}

/// Returns true if the reader of standard output needs no more of it, such as `head`.
fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    let error = error.downcast_ref::<CommandError>();
    matches!(error, Some(CommandError::Output(cause)) if cause.kind() == ErrorKind::BrokenPipe)
}

/// Returns the variables of the environment.
fn variables() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

/// Runs a command of `flagdeck edge` or `flagdeck offline`.
async fn run_edge(command: EdgeCommand) -> Result<ExitCode, Box<dyn Error>> {
    match command {
        EdgeCommand::Serve(mode, values) => {
            let config = Config::resolve_edge(mode, values, variables())?;
            telemetry::init(&config.log);
            if let Some(edge) = &config.edge {
                edge.set.iter().for_each(|note| tracing::info!("{note}"));
                // The level of charts is often warn.
                edge.ignored.iter().for_each(|note| tracing::warn!("{note}"));
            }
            serve(config).await
        }
        EdgeCommand::Probe(probe) => {
            commands::probe_edge(probe, variables()).await?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

async fn run(arguments: &Arguments) -> Result<ExitCode, Box<dyn Error>> {
    let needed = arguments.command.as_ref().and_then(Command::needed_settings);
    let flags = arguments.resolve_settings();
    let config = Config::resolve_needed(needed, arguments.config.as_deref(), &flags, variables())?;
    let is_client = arguments.command.as_ref().is_some_and(Command::has_target);
    telemetry::init(&if is_client { config.log_of_client() } else { config.log.clone() });
    let Some(command) = &arguments.command else { return serve(config).await };
    // `check` prints them itself.
    if !matches!(command, Command::Check) {
        for warning in &config.warnings {
            tracing::warn!("{warning}");
        }
    }
    Ok(commands::run(command, &config, &arguments.settings).await?)
}

/// Runs the server until a signal.
async fn serve(config: Config) -> Result<ExitCode, Box<dyn Error>> {
    for warning in config.warnings.iter().chain(&config.unused) {
        tracing::warn!("{warning}");
    }
    // Before the address is printed, because a program that reads it may send a signal at once.
    let shutdown = shutdown::wait_for_signal()?;
    let app = App::build(config).await?;
    // Programs that start Flagdeck wait for this line. Standard output may be closed, which is not an error.
    drop(writeln!(std::io::stdout(), "Flagdeck is ready on {}", app.url()));
    app.run_until(shutdown).await?;
    Ok(ExitCode::SUCCESS)
}
