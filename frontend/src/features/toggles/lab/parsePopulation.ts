// Reads a list of contexts from pasted text or a file.
import type { LabContext } from '@/domain/evaluation/labContext';
import { CsvError, type CsvRow, readCsv } from './readCsv';

/** Contexts to evaluate at once. */
export interface Population {
  /** Names of the context fields. */
  fields: readonly string[];
  contexts: readonly LabContext[];
  /** The contexts as JSON, separated by commas: converting them for each request would block the page. */
  json: Blob;
}

export interface PopulationText {
  /** `list`: one value per line. `csv`: a header row with the names of context fields, and one row per context. */
  format: 'list' | 'csv';
  /** Context field of the values of a list. */
  field: string;
  text: string;
}

/** The text has no contexts, or invalid ones. The message lists the lines with their causes. */
export class PopulationError extends Error {}

/** The server refuses more contexts and longer values. */
const MAX_CONTEXTS = 10_000;
const MAX_VALUE_BYTES = 1000;
/** Problems beyond this number are not listed. */
const MAX_PROBLEMS = 5;

/** Parses the text without blocking the page. Throws a `PopulationError`. */
export async function parsePopulation({ format, field, text }: PopulationText): Promise<Population> {
  const problems: string[] = [];
  const contexts: LabContext[] = [];
  const json: string[] = [];
  const content = text.replace(/^\uFEFF/u, '');
  const rows = format === 'csv' ? readCsv(content, findSeparator(content)) : readLines(content);
  try {
    const fields = format === 'csv' ? readHeader(rows) : [field];
    await forEachInSlices(rows, (row) => {
      if (problems.length >= MAX_PROBLEMS) return 'stop';
      if (contexts.length >= MAX_CONTEXTS) {
        problems.push(`Line ${row.line}: there are more than ${MAX_CONTEXTS.toLocaleString('en')} contexts.`);
        return 'stop';
      }
      const problem = findProblem(row, fields);
      if (problem !== undefined) {
        problems.push(`Line ${row.line}: ${problem}`);
        return undefined;
      }
      const context = toContext(fields, row.values);
      contexts.push(context);
      json.push(JSON.stringify(context));
      return undefined;
    });
    if (problems.length === 0 && contexts.length === 0) problems.push('There are no contexts.');
    if (problems.length === 0) return { fields, contexts, json: new Blob([json.join()]) };
  } catch (failure) {
    if (!(failure instanceof CsvError)) throw failure;
    problems.push(failure.message);
  }
  throw new PopulationError(problems.join('\n'));
}

/** Returns whether a text is a CSV: a header with several names, and rows with as many values. */
export function looksLikeCsv(text: string): boolean {
  const separator = findSeparator(text);
  const [header = '', ...rows] = text
    .split(/\r\n|\r|\n/u)
    .filter((line) => line.trim() !== '')
    .slice(0, 5);
  const count = (line: string) => line.split(separator).length;
  const isHeader =
    count(header) > 1 && header.split(separator).every((name) => /^\s*"?[A-Za-z][\w.-]*"?\s*$/u.test(name));
  return isHeader && rows.length > 0 && rows.every((row) => count(row) === count(header));
}

/** Returns the character that separates the values: spreadsheets also use semicolons, and tabs when copying. */
function findSeparator(text: string): string {
  const header = text.trimStart().split(/[\r\n]/u, 1)[0] ?? '';
  const count = (separator: string) => header.split(separator).length;
  return [',', ';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best));
}

function* readLines(text: string): Generator<CsvRow> {
  let line = 0;
  for (const [content] of text.matchAll(/[^\r\n]*(?:\r\n|\r|\n|$)/gu)) {
    line += 1;
    const value = content.trim();
    if (value !== '') yield { line, values: [value] };
  }
}

function readHeader(rows: Iterator<CsvRow>): string[] {
  const { value: header, done } = rows.next();
  if (done) throw new CsvError('There is no header row with the names of the context fields.');
  const { line, values } = header as CsvRow;
  const fields = values.map((name) => name.trim());
  const empty = fields.indexOf('');
  if (empty >= 0) throw new CsvError(`Line ${line}: column ${empty + 1} has no name.`);
  const repeated = fields.find((name, index) => fields.indexOf(name) !== index);
  if (repeated !== undefined) throw new CsvError(`Line ${line}: there are two columns ${repeated}.`);
  return fields;
}

function findProblem({ values }: CsvRow, fields: readonly string[]): string | undefined {
  if (values.length !== fields.length) {
    const count = `${values.length} ${values.length === 1 ? 'value' : 'values'}`;
    return `the row has ${count}, but the header has ${fields.length}.`;
  }
  const long = values.findIndex(isTooLong);
  return long < 0 ? undefined : `the value of ${fields[long]} is longer than ${MAX_VALUE_BYTES} bytes.`;
}

function isTooLong(value: string): boolean {
  // A UTF-16 unit takes at most 3 bytes, so most values need not be encoded.
  return value.length * 3 > MAX_VALUE_BYTES && new TextEncoder().encode(value).length > MAX_VALUE_BYTES;
}

/** Empty values are absent fields. */
function toContext(fields: readonly string[], values: readonly string[]): LabContext {
  const pairs = fields.map((name, index) => [name, values[index] ?? ''] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}

/** Duration of a slice in ms. The browser can paint and handle input between slices. */
const SLICE_MS = 12;

/** Visits the items in slices, so that a long list does not block the page. Ends early if `visit` returns `stop`. */
export async function forEachInSlices<T>(items: Iterable<T>, visit: (item: T) => 'stop' | undefined): Promise<void> {
  let end = performance.now() + SLICE_MS;
  for (const item of items) {
    if (performance.now() > end) {
      await new Promise((resume) => setTimeout(resume));
      end = performance.now() + SLICE_MS;
    }
    if (visit(item) === 'stop') return;
  }
}
