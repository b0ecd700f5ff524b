//! Entry point of the program: reads the arguments and the settings, runs a command or the server, and sets the exit code.

use std::error::Error;
use std::io::Write as _;
use std::process::ExitCode;

use flagdeck::app::App;
use flagdeck::cli::{Arguments, Command};
use flagdeck::config::Config;
use flagdeck::{commands, shutdown, telemetry, terminal};

#[actix_web::main]
async fn main() -> ExitCode {
    let arguments = Arguments::read();
    match run(&arguments).await {
        Ok(code) => code,
        Err(error) => {
            // Standard error may be closed. There is no other place for the message.
            drop(terminal::print_error(&format!("flagdeck: {error}")));
            commands::failure_code(arguments.command.as_ref())
        }
    }
}

async fn run(arguments: &Arguments) -> Result<ExitCode, Box<dyn Error>> {
    let variables = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let config = Config::resolve(arguments.config.as_deref(), &arguments.resolve_settings(), variables)?;
    let is_client = arguments.command.as_ref().is_some_and(Command::has_target);
    telemetry::init(&if is_client { config.log_of_client() } else { config.log.clone() });
    // `check` prints them itself.
    if !matches!(arguments.command, Some(Command::Check)) {
        for warning in &config.warnings {
            tracing::warn!("{warning}");
        }
    }
    if let Some(command) = &arguments.command {
        return Ok(commands::run(command, &config, &arguments.settings).await?);
    }
    for warning in &config.unused {
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
