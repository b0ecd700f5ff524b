// Replacing a toggle as a whole, which is the only way servers have to change its parts: they know no version, so what
// is stored now is read first, and what others changed meanwhile goes together with what is saved or is asked about.
import { type ReactNode, useState } from 'react';
import { feature, featureEvents, updateFeature } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import type { Toggle } from '@/api/generated/types';
import { useWrite } from '@/api/hooks';
import { offerUndo, pushError, pushInfo } from '@/api/notices';
import { same } from '@/lib/align';
import { replaceInList } from './listPatches';
import { type Collision, mergeToggle, type Side } from './merge';
import { useConflict } from './useConflict';

/** How long it says that all went well. */
const UPDATED_MS = 1000;

type Edit = (toggle: Toggle) => Toggle;

interface SaveOptions {
  /** Throws what went wrong, for a form or dialog that shows it in place. */
  inline?: boolean;
}

interface ToggleSave {
  /**
   * Saves what `edit` makes of `base`, the toggle as the editor knew it. Answers true when it is stored; false when it
   * was refused or called off, which has been told by then.
   */
  save(base: Toggle, edit: Edit, options?: SaveOptions): Promise<boolean>;
  /** As `save`, but answers the toggle as it is stored then. */
  store(base: Toggle, edit: Edit, options?: SaveOptions): Promise<Toggle | undefined>;
  saving: boolean;
  /** To be rendered, within the dialog that saves if there is one: asks what to do about changes by somebody else. */
  conflict: ReactNode;
}

/** Answers who wins each collision, or undefined to call the save off. */
type Ask = (collisions: readonly Collision[]) => Promise<ReadonlyMap<string, Side> | undefined>;

/** One save: the toggle before it, as it was sent, and as it was read after it. */
interface Saved {
  before: Toggle;
  sent: Toggle;
  after: Toggle;
}

/** The last save of each toggle that is under way or was. */
const lastTurns = new Map<string, Promise<unknown>>();

/** Saves of one toggle go one after the other, so that each reads what the one before it stored. */
function inTurn<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
  const turn = (lastTurns.get(name) ?? Promise.resolve()).then(act);
  lastTurns.set(
    name,
    turn.catch(() => undefined),
  );
  return turn;
}

export function useToggleSave({ name }: Toggle): ToggleSave {
  const { send, fetchFresh } = useWrite();
  const [underWay, setUnderWay] = useState(0);
  const { ask, conflict } = useConflict(name);

  async function put(body: Toggle, inline: boolean): Promise<Toggle> {
    if (body.strategies.length === 0) throw new Error('You must add at least one activation strategy');
    await send(updateFeature(name), {
      body,
      inline,
      patches: () => replaceInList(body),
      refreshes: [featureEvents(name)],
    });
    // Servers may keep what they were sent in their own way: later edits build on that.
    return fetchFresh(feature(name), { inline: true, patches: replaceInList }).catch(() => body);
  }

  async function replace(base: Toggle, mine: Toggle, inline: boolean, decide: Ask): Promise<Saved | undefined> {
    const decided = new Map<string, { side: Side; theirs: unknown }>();
    for (;;) {
      const before = await fetchFresh(feature(name), { inline });
      const choose = (of: Collision) => {
        const decision = decided.get(of.id);
        // Only about what was shown: what changed once more is asked about once more.
        return decision && same(decision.theirs, of.theirs) ? decision.side : undefined;
      };
      const { toggle, collisions } = mergeToggle(base, mine, before, (of) => choose(of) ?? 'theirs');
      const open = collisions.filter((of) => choose(of) === undefined);
      if (open.length === 0) return { before, sent: toggle, after: await put(toggle, inline) };
      const answers = await decide(open);
      if (!answers) return undefined;
      for (const { id, theirs } of open) decided.set(id, { side: answers.get(id) ?? 'theirs', theirs });
    }
  }

  /** Never asks: what somebody did since it was sent stays, also right after. */
  async function undo({ before, sent }: Saved): Promise<void> {
    await inTurn(name, () =>
      replace(sent, before, false, async () => {
        throw new Error(`${name} has been changed again since then, so this was not undone. Its log can restore it.`);
      }),
    );
  }

  async function store(base: Toggle, edit: Edit, { inline = false }: SaveOptions = {}) {
    setUnderWay((count) => count + 1);
    try {
      const saved = await inTurn(name, () => replace(base, edit(base), inline, ask));
      if (!saved) return undefined;
      offerUndo(`${name} saved.`, () => undo(saved));
      // Shown first, because it goes first.
      pushInfo(`${name} successfully updated!`, UPDATED_MS);
      return saved.after;
    } catch (thrown) {
      if (inline) throw thrown;
      if (!(thrown instanceof ApiError)) pushError(thrown instanceof Error ? thrown.message : String(thrown));
      return undefined;
    } finally {
      setUnderWay((count) => count - 1);
    }
  }

  return {
    store,
    save: async (...what) => (await store(...what)) !== undefined,
    saving: underWay > 0,
    conflict,
  };
}
