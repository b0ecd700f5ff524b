// Differences of two texts, word by word.
import { diffArrays } from 'diff';

export interface TextPart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Limit of removed and added words, which bounds the time. Texts that differ more are shown as replaced. */
const MAX_CHANGED_WORDS = 1000;

/** Longer unchanged passages are shortened to their ends. */
const MAX_UNCHANGED = 400;
const UNCHANGED_END = 120;

/** Returns the parts that turn `before` into `after`, in reading order. */
export function wordDiff(before: string, after: string): TextPart[] {
  const changes = diffArrays(toWords(before), toWords(after), { maxEditLength: MAX_CHANGED_WORDS });
  if (!changes) return [removed(before), added(after)];
  const parts = changes.map((change): TextPart => {
    const text = change.value.join('');
    if (change.removed) return removed(text);
    return change.added ? added(text) : { kind: 'same', text };
  });
  return joinParts(parts).map(shorten);
}

/**
 * Splits a text into words, runs of white space, and punctuation characters. The library's own words are Latin: it would
 * compare other scripts letter by letter.
 */
function toWords(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

function removed(text: string): TextPart {
  return { kind: 'removed', text };
}

function added(text: string): TextPart {
  return { kind: 'added', text };
}

/** Joins changes that only white space separates, so that a changed phrase is one change. */
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
    joined.push({ kind, text });
  }
  flush();
  return joined;
}

function shorten({ kind, text }: TextPart): TextPart {
  if (kind !== 'same' || text.length <= MAX_UNCHANGED) return { kind, text };
  return { kind, text: `${text.slice(0, UNCHANGED_END)} … ${text.slice(-UNCHANGED_END)}` };
}
