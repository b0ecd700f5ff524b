// Formats data for the clipboard as JSON or curl. The output contains no session data.

interface Call {
  path: string;
  method?: string;
  body?: unknown;
  /** Environment of a newer server. */
  environment?: string | undefined;
}

/** Returns the call as a curl command for a POSIX shell, with URLs relative to `base`. */
export function toCurl(base: string, { path, method, body, environment }: Call): string {
  const parts = [
    `curl ${method === undefined ? '' : `-X ${method} `}${quoted(new URL(path, base).href)}`,
    `-H ${quoted('Accept: application/json')}`,
    ...(environment === undefined ? [] : [`-H ${quoted(`Flagdeck-Environment: ${environment}`)}`]),
    ...(method === undefined ? [] : [`-H ${quoted('Content-Type: application/json')}`]),
    ...(body === undefined ? [] : [`--data-raw ${quoted(JSON.stringify(body))}`]),
  ];
  return parts.join(' \\\n  ');
}

/** Quotes text for a POSIX shell: within single quotes, only the single quote needs escaping. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
