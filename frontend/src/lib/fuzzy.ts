// Fuzzy search: words match in any order, and letters of a word may be missing.

/** Word separators, as in `shop.gift-cards`. */
const BREAKS = new Set([' ', '.', '-', '_', '/', ':']);

/** Returns a match score, or 0 without a match. Both arguments must be lower case. */
export function fuzzyScore(words: readonly string[], text: string): number {
  let total = 0;
  for (const word of words) {
    const score = wordScore(word, text);
    if (score === 0) return 0;
    total += score;
  }
  // With equal matches, prefer the shorter text.
  return total - Math.min(text.length, 100) / 1000;
}

export function splitWords(query: string): string[] {
  return query.toLowerCase().split(/\s+/u).filter(Boolean);
}

function wordScore(word: string, text: string): number {
  if (text === word) return 100;
  if (text.startsWith(word)) return 90;
  for (let at = text.indexOf(word); at > 0; at = text.indexOf(word, at + 1)) {
    if (BREAKS.has(text.charAt(at - 1))) return 80;
  }
  if (text.includes(word)) return 60;
  return subsequenceScore(word, text);
}

/** Scores letters in order with gaps between them: fewer gaps score higher. */
function subsequenceScore(word: string, text: string): number {
  let at = -1;
  let pieces = 0;
  for (const letter of word) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return 0;
    if (next !== at + 1) pieces += 1;
    at = next;
  }
  // With more pieces than this, a match is coincidental.
  return pieces > Math.ceil(word.length / 2) ? 0 : 40 - pieces;
}
