// Exports lines of the journal as CSV or JSON.

import type { JournalLine } from '@/api/generated/types';
import { toJson } from '@/lib/copyFormats';
import { saveFile } from '@/lib/saveFile';
import { describeLine, describeResult } from './describeLine';

const COLUMNS: readonly [header: string, cell: (line: JournalLine) => string | number | undefined][] = [
  ['Number', ({ sequence }) => sequence],
  ['Time', ({ time }) => time],
  ['Kind', ({ kind }) => kind],
  ['Issuer', ({ person }) => person?.iss],
  ['Subject', ({ person }) => person?.sub],
  ['Name', ({ person }) => person?.name],
  ['How known', ({ person }) => person?.known],
  ['Address', ({ address }) => address],
  ['Item type', ({ item }) => item?.type],
  ['Item', ({ item }) => item?.name],
  ['Environment', ({ environment }) => environment],
  ['Change', describeLine],
  ['Result', (line) => describeResult(line)?.text],
  ['Status', ({ status }) => status],
  ['Method', ({ method }) => method],
  ['Path', ({ path }) => path],
  ['Request ID', ({ requestId }) => requestId],
  ['Events', ({ events }) => events?.join(' ')],
  ['SHA-256 of the body', ({ bodySha256 }) => bodySha256],
];

/** Returns a table in the format of RFC 4180. Spreadsheets interpret no cell as a formula. */
export function toCsv(lines: readonly JournalLine[]): string {
  const rows = lines.map((line) => COLUMNS.map(([, cell]) => toCell(cell(line))));
  return [COLUMNS.map(([header]) => toCell(header)), ...rows].map((cells) => `${cells.join(',')}\r\n`).join('');
}

/** Spreadsheets read text after these characters as a formula, also within quotes. An apostrophe marks it as text. */
function toCell(value: string | number | undefined): string {
  const text = String(value ?? '');
  const safe = typeof value === 'string' && /^[\t\r\n =+\-@]/u.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** Saves lines as a file of the browser. */
export function saveLines(lines: readonly JournalLine[], format: 'csv' | 'json'): void {
  const content = format === 'csv' ? toCsv(lines) : toJson(lines);
  const type = format === 'csv' ? 'text/csv;charset=utf-8' : 'application/json';
  saveFile(`journal.${format}`, type, content);
}
