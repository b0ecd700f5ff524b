// Actions of the palette on a toggle, with their keywords and permissions.

import type { KnownPermission } from '@/api/disabledReason';
import type { Toggle } from '@/api/generated/types';

export type PaletteAction = 'enable' | 'disable' | 'stale' | 'active' | 'copy' | 'archive';

interface ActionDefinition {
  permission: KnownPermission;
  label: (name: string) => string;
  /** Words that select the action at the start of the query. */
  keywords: readonly string[];
  /** The reason why the action would not change the toggle; undefined if it would. */
  noEffectReason: (toggle: Toggle) => string | undefined;
}

const alreadyOn = ({ enabled }: Toggle) => (enabled ? 'Already enabled' : undefined);
const alreadyOff = ({ enabled }: Toggle) => (enabled ? undefined : 'Already disabled');
const alreadyStale = ({ stale }: Toggle) => (stale ? 'Already stale' : undefined);
const alreadyActive = ({ stale }: Toggle) => (stale ? undefined : 'Already active');
const noReason = () => undefined;

export const paletteActions: { [action in PaletteAction]: ActionDefinition } = {
  enable: {
    permission: 'UPDATE_FEATURE_ENVIRONMENT',
    label: (name) => `Enable ${name}`,
    keywords: ['enable', 'on'],
    noEffectReason: alreadyOn,
  },
  disable: {
    permission: 'UPDATE_FEATURE_ENVIRONMENT',
    label: (name) => `Disable ${name}`,
    keywords: ['disable', 'off'],
    noEffectReason: alreadyOff,
  },
  stale: {
    permission: 'UPDATE_FEATURE',
    label: (name) => `Mark ${name} as stale`,
    keywords: ['stale'],
    noEffectReason: alreadyStale,
  },
  active: {
    permission: 'UPDATE_FEATURE',
    label: (name) => `Mark ${name} as active`,
    keywords: ['active'],
    noEffectReason: alreadyActive,
  },
  copy: {
    permission: 'CREATE_FEATURE',
    label: (name) => `Copy ${name}`,
    keywords: ['copy', 'clone'],
    noEffectReason: noReason,
  },
  archive: {
    permission: 'DELETE_FEATURE',
    label: (name) => `Archive ${name}`,
    keywords: ['archive'],
    noEffectReason: noReason,
  },
};

const allActions = Object.keys(paletteActions) as PaletteAction[];

/** Actions that would change the toggle. */
export function applicableActions(toggle: Toggle): PaletteAction[] {
  return allActions.filter((action) => paletteActions[action].noEffectReason(toggle) === undefined);
}

/** Words of a query that are ignored, as in `switch off the basket` and `mark basket as stale`. */
const FILLER_WORDS = new Set(['switch', 'turn', 'mark', 'set', 'as', 'the']);

const MIN_PREFIX = 2;

/** Parses a query that starts with an action. The rest selects the toggles. */
export function parseAction(words: readonly string[]): { action: PaletteAction; rest: readonly string[] } | undefined {
  const [first = '', ...rest] = words.filter((word) => !FILLER_WORDS.has(word));
  if (first.length < MIN_PREFIX) return undefined;
  const action = allActions.find((one) => paletteActions[one].keywords.some((word) => word.startsWith(first)));
  return action && { action, rest };
}
