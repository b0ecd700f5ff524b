// Turns the text of the search box into a matcher that cannot freeze the tab, whatever is typed or linked to.

export type Matcher = (text: string) => boolean;

const all: Matcher = () => true;

/** Without repetition or groups the browser's own engine has nothing to backtrack into. */
const canBacktrack = /[*+?{(]/;

function native(pattern: string): Matcher {
  try {
    const expression = new RegExp(pattern, 'i');
    return (text) => expression.test(text);
  } catch {
    return all;
  }
}

/** RE2 needs time linear in the text. It weighs more than the list itself, so it comes when first needed. */
async function linear(pattern: string): Promise<Matcher> {
  const engine = await import('re2js').catch(() => undefined);
  if (!engine) return plain(pattern);
  try {
    const expression = engine.RE2JS.compile(pattern, engine.RE2JS.CASE_INSENSITIVE);
    return (text) => expression.test(text);
  } catch {
    return all;
  }
}

/** Without the engine a pattern is searched for as it stands, which beats a page that fails. */
function plain(pattern: string): Matcher {
  const wanted = pattern.toLowerCase();
  return (text) => text.toLowerCase().includes(wanted);
}

const matchers = new Map<string, Matcher | Promise<Matcher>>();

/** One pattern always gives the same promise and then its matcher: React's `use` relies on that. */
export function getMatcher(text: string): Matcher | Promise<Matcher> {
  const known = matchers.get(text);
  if (known !== undefined) return known;
  const made = canBacktrack.test(text)
    ? linear(text).then((matcher) => {
        matchers.set(text, matcher);
        return matcher;
      })
    : native(text);
  matchers.set(text, made);
  return made;
}
