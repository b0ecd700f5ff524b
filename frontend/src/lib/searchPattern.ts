// Compiles search text into a matcher. Patterns that could backtrack use RE2, so that no pattern can freeze the tab.

export type Matcher = (text: string) => boolean;

const matchAll: Matcher = () => true;

/** Patterns without repetition and groups cannot backtrack. */
const canBacktrack = /[*+?{(]/;

/** Look-around and back-references, which RE2 lacks because they cannot be matched in linear time. */
const unsupported = /\(\?<?[=!]|\\[1-9]|\\k</;

/** Returns whether a text is a valid pattern that is not supported, and is therefore searched as text. */
export function isSearchedAsText(text: string): boolean {
  if (!unsupported.test(text)) return false;
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

function createNativeMatcher(pattern: string): Matcher {
  try {
    const expression = new RegExp(pattern, 'i');
    return (text) => expression.test(text);
  } catch {
    return matchAll;
  }
}

/** Creates a matcher with RE2, which runs in linear time. Loaded on demand, because RE2 is large. */
async function createRe2Matcher(pattern: string): Promise<Matcher> {
  const engine = await import('re2js').catch(() => undefined);
  if (!engine) return createSubstringMatcher(pattern);
  try {
    const expression = engine.RE2JS.compile(pattern, engine.RE2JS.CASE_INSENSITIVE);
    return (text) => expression.test(text);
  } catch {
    return matchAll;
  }
}

/** Creates a matcher for literal text. */
function createSubstringMatcher(pattern: string): Matcher {
  const wanted = pattern.toLowerCase();
  return (text) => text.toLowerCase().includes(wanted);
}

/** Maximum number of cached matchers, more than fields of a page. */
const MAX_CACHED = 20;

/** Matchers of the latest patterns, oldest first. */
const matchers = new Map<string, Matcher | Promise<Matcher>>();

/** Returns the matcher for a pattern. The promise is cached, because React's `use` requires a stable one. */
export function getMatcher(text: string): Matcher | Promise<Matcher> {
  const cached = matchers.get(text);
  if (cached !== undefined) return cached;
  const created = isSearchedAsText(text) ? createSubstringMatcher(text) : createPatternMatcher(text);
  matchers.set(text, created);
  const [oldest] = matchers.keys();
  if (oldest !== undefined && matchers.size > MAX_CACHED) matchers.delete(oldest);
  return created;
}

function createPatternMatcher(text: string): Matcher | Promise<Matcher> {
  return canBacktrack.test(text)
    ? createRe2Matcher(text).then((matcher) => {
        if (matchers.has(text)) matchers.set(text, matcher);
        return matcher;
      })
    : createNativeMatcher(text);
}
