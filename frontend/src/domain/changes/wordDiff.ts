// Differences of two texts, word by word.

export interface TextPart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Limit of the table of compared words, in cells. Texts that differ more are shown as replaced. */
const MAX_CELLS = 250_000;

/** Longer unchanged passages are shortened to their ends. */
const MAX_UNCHANGED = 400;
const UNCHANGED_END = 120;

/** Returns the parts that turn `before` into `after`, in reading order. */
export function wordDiff(before: string, after: string): TextPart[] {
  const [old, now] = [toWords(before), toWords(after)];
  const start = countEqual(old, now);
  const end = countEqual(old.slice(start).reverse(), now.slice(start).reverse());
  const middle = compareWords(old.slice(start, old.length - end), now.slice(start, now.length - end));
  const same = (words: readonly string[]): TextPart[] => words.map((text) => ({ kind: 'same', text }));
  return joinParts([...same(old.slice(0, start)), ...middle, ...same(old.slice(old.length - end))]).map(shorten);
}

/** Splits a text into words, runs of white space, and punctuation characters. */
function toWords(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

/** Returns the number of equal words at the start. */
function countEqual(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((word, index) => word !== b[index]);
  return different < 0 ? a.length : different;
}

/** Compares by the longest common subsequence. */
function compareWords(old: readonly string[], now: readonly string[]): TextPart[] {
  if (old.length * now.length > MAX_CELLS) return [removed(old.join('')), added(now.join(''))];
  const lengths = commonLengths(old, now);
  const parts: TextPart[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [from, to] = [old[i], now[j]];
    if (from !== undefined && from === to) {
      parts.push({ kind: 'same', text: from });
      i += 1;
      j += 1;
    } else if (from !== undefined && (to === undefined || lengthAt(lengths, i + 1, j) >= lengthAt(lengths, i, j + 1))) {
      parts.push(removed(from));
      i += 1;
    } else {
      parts.push(added(to ?? ''));
      j += 1;
    }
  }
  return parts;
}

function removed(text: string): TextPart {
  return { kind: 'removed', text };
}

function added(text: string): TextPart {
  return { kind: 'added', text };
}

type Lengths = readonly Uint32Array[];

/** Returns the length of the longest common subsequence of the words from each pair of positions to the end. */
function commonLengths(old: readonly string[], now: readonly string[]): Lengths {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const row = rows[i];
    for (let j = now.length - 1; row && j >= 0; j -= 1) {
      row[j] =
        old[i] === now[j]
          ? lengthAt(rows, i + 1, j + 1) + 1
          : Math.max(lengthAt(rows, i + 1, j), lengthAt(rows, i, j + 1));
    }
  }
  return rows;
}

function lengthAt(rows: Lengths, i: number, j: number): number {
  return rows[i]?.[j] ?? 0;
}

/** Joins neighbours of one kind. White space between two changes is part of them, so that a changed phrase is one change. */
function joinParts(parts: readonly TextPart[]): TextPart[] {
  const joined: TextPart[] = [];
  let [gone, come] = ['', ''];
  const flush = () => {
    if (gone !== '') joined.push(removed(gone));
    if (come !== '') joined.push(added(come));
    [gone, come] = ['', ''];
  };
  for (const [index, { kind, text }] of parts.entries()) {
    const next = parts[index + 1]?.kind;
    const isGap = kind === 'same' && text.trim() === '' && gone + come !== '' && next !== undefined && next !== 'same';
    if (kind === 'removed' || isGap) gone += text;
    if (kind === 'added' || isGap) come += text;
    if (kind !== 'same' || isGap) continue;
    flush();
    const last = joined.at(-1);
    if (last?.kind === 'same') last.text += text;
    else joined.push({ kind, text });
  }
  flush();
  return joined;
}

function shorten({ kind, text }: TextPart): TextPart {
  if (kind !== 'same' || text.length <= MAX_UNCHANGED) return { kind, text };
  return { kind, text: `${text.slice(0, UNCHANGED_END)} … ${text.slice(-UNCHANGED_END)}` };
}
