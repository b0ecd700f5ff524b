// Questions before a write: those of the server about a side effect, such as adding a rollout to a toggle that is switched on, and
// the question about toggles that files manage. Every write of the console passes through here; bulk actions ask once for all.
import { createPagePrompt } from '@/lib/prompt';
import { createUserStore, userSignal } from '@/lib/store';
import { type RequestOptions, type Write, write } from './client';
import { ApiError } from './error';
import { managerOf, possibleManagersOf, readUnreadToggles } from './managedToggles';

const CODES = ['would_add_rollout', 'would_enable_strategies', 'would_disable_toggle', 'variants_deprecated'] as const;

export type QuestionCode = (typeof CODES)[number];

interface Question {
  /** Code of the server, or `managed`: files manage the toggles or may do so, and the next `flagdeck apply` undoes the edit. */
  code: QuestionCode | 'managed';
  /** Names of the toggles. */
  names: readonly string[];
  /** The write of one managed toggle. */
  edit?: Edit | undefined;
}

export interface Edit {
  call: Pick<Write<unknown, unknown>, 'method' | 'path'>;
  content: unknown;
}

/** One for the page, used by all writes. */
export const questionPrompt = createPagePrompt<Question>({ queues: true });

/** A write that the user declined after a question. Nothing was changed. */
export class DeclinedError extends Error {
  constructor() {
    super('Cancelled. Nothing was changed.');
  }
}

/** Returns the question that a failed write asks; undefined for other failures. */
export function questionOf(failure: unknown): QuestionCode | undefined {
  if (!(failure instanceof ApiError) || failure.status !== 409) return undefined;
  const { code } = Object(failure.body) as { code?: unknown };
  return CODES.find((one) => one === code);
}

/** Returns the write with confirmed questions. */
export function confirmed<Body, Data>(call: Write<Body, Data>, codes: readonly QuestionCode[]): Write<Body, Data> {
  const query = codes.map((code) => `confirm=${code}`).join('&');
  const separator = call.path.includes('?') ? '&' : '?';
  return query === '' ? call : { ...call, path: `${call.path}${separator}${query}` };
}

/** Managed toggles whose edit the user has confirmed since the console was loaded. */
const confirmedEdits = createUserStore<readonly string[]>([]);

/** Resolves with true if these toggles may be edited. Asks about those that files manage or may manage, once for each. */
export async function confirmEdits(names: readonly string[], edit?: Edit): Promise<boolean> {
  const user = userSignal();
  const open = names.filter((name) => !confirmedEdits.get().includes(name));
  const mayBeManaged = (name: string) => possibleManagersOf(name).length > 0;
  if (open.some(mayBeManaged)) await readUnreadToggles();
  if (user.aborted) return false;
  const managed = open.filter((name) => managerOf(name) !== '' || mayBeManaged(name));
  if (managed.length === 0) return true;
  if ((await questionPrompt.ask({ code: 'managed', names: managed, edit })) !== true) return false;
  confirmedEdits.set([...confirmedEdits.get(), ...managed]);
  return true;
}

/**
 * Sends a write, after the question about a managed toggle. If the server asks a question, asks the user, and repeats the write
 * if the user confirms.
 */
export async function writeOrAsk<Body, Data>(
  call: Write<Body, Data>,
  content?: Body,
  options?: RequestOptions,
): Promise<Data | undefined> {
  const user = userSignal();
  const codes: QuestionCode[] = [];
  const toggle = toggleIn(call.path);
  const edited = options?.appliesFiles || toggle === undefined ? [] : [toggle];
  if (!(await confirmEdits(edited, { call, content }))) throw new DeclinedError();
  for (;;) {
    try {
      return await write(confirmed(call, codes), content, options);
    } catch (failure) {
      const code = questionOf(failure);
      if (code === undefined || codes.includes(code) || user.aborted) throw failure;
      // The content of a new toggle names it.
      const name = toggle ?? (Object(content) as { name?: string }).name;
      if ((await questionPrompt.ask({ code, names: name === undefined ? [] : [name] })) !== true)
        throw new DeclinedError();
      codes.push(code);
    }
  }
}

/** The name of the toggle in the path of a write; undefined if it changes no toggle that exists. */
function toggleIn(path: string): string | undefined {
  const encoded = /^api\/admin\/features\/(?!validate$)([^/?]+)/.exec(path)?.[1];
  return encoded && decodeURIComponent(encoded);
}
