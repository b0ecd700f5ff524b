// Parser of CSV (RFC 4180). A generator, so that the caller can parse a long text in slices and knows the line of each row.

/** A row with the line on which it starts. */
export interface CsvRow {
  line: number;
  values: string[];
}

/** The text is not CSV. */
export class CsvError extends Error {}

/** Reads rows of values. Empty lines are skipped. Throws a `CsvError` that names the line. */
export function* readCsv(text: string, separator: string): Generator<CsvRow> {
  const end = new RegExp(`[${separator}\r\n]|$`, 'gu');
  let [at, line] = [0, 1];
  while (at < text.length) {
    const row: CsvRow = { line, values: [] };
    let isLast = false;
    while (!isLast) {
      const isQuoted = text[at] === '"';
      const close = isQuoted ? findClosingQuote(text, at, line) : at;
      end.lastIndex = close;
      const stop = end.exec(text)?.index ?? text.length;
      const plain = text.slice(close, stop);
      if (isQuoted && plain !== '') throw new CsvError(`Line ${line}: text follows a closing quotation mark.`);
      if (plain.includes('"')) {
        throw new CsvError(`Line ${line}: a value with a quotation mark must be enclosed in quotation marks.`);
      }
      const quoted = text.slice(at + 1, close - 1);
      row.values.push(isQuoted ? quoted.replaceAll('""', '"') : plain);
      if (isQuoted) line += quoted.split('\n').length - 1;
      isLast = text[stop] !== separator;
      at = stop + 1;
    }
    if (text[at - 1] === '\r' && text[at] === '\n') at += 1;
    line += 1;
    if (row.values.length > 1 || row.values[0] !== '') yield row;
  }
}

/** Returns the index after the quotation mark that closes the value. Two quotation marks stand for one. */
function findClosingQuote(text: string, start: number, line: number): number {
  let at = text.indexOf('"', start + 1);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  if (at < 0) throw new CsvError(`Line ${line}: the quotation mark is not closed.`);
  return at + 1;
}
