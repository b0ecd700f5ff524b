// Actions of the palette on a toggle, with their keywords and permissions.

import type { KnownPermission } from '@/api/disabledReason';
import type { Toggle } from '@/api/generated/types';

export type PaletteAction = 'enable' | 'disable' | 'stale' | 'active' | 'copy' | 'hold' | 'release' | 'archive';

/** Holds of toggles for SDKs, in a deployment that can hold toggles. */
export interface PaletteHolds {
  /** Names of the held toggles. */
  held: readonly string[];
  /** Reason why the user cannot hold or release a toggle. */
  disabledReason: string | undefined;
}

interface ActionDefinition {
  permission: KnownPermission;
  label: (name: string) => string;
  /** Words that select the action at the start of the query. */
  keywords: readonly string[];
  /** The reason why the action would not change the toggle; undefined if it would. `held` are the names of the held toggles. */
  noEffectReason: (toggle: Toggle, held: readonly string[]) => string | undefined;
  /** True for actions that only deployments offer which can hold toggles. */
  isHold?: true;
}

const alreadyOn = ({ enabled }: Toggle) => (enabled ? 'Already enabled' : undefined);
const alreadyOff = ({ enabled }: Toggle) => (enabled ? undefined : 'Already disabled');
const alreadyStale = ({ stale }: Toggle) => (stale ? 'Already stale' : undefined);
const alreadyActive = ({ stale }: Toggle) => (stale ? undefined : 'Already active');
const noReason = () => undefined;
const isHeld = ({ name }: Toggle, held: readonly string[]) => held.includes(name);
const alreadyHeld: ActionDefinition['noEffectReason'] = (toggle, held) =>
  isHeld(toggle, held) ? 'Already held' : undefined;
const notHeld: ActionDefinition['noEffectReason'] = (toggle, held) => (isHeld(toggle, held) ? undefined : 'Not held');

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
  hold: {
    permission: 'UPDATE_FEATURE',
    label: (name) => `Hold ${name} off for SDKs…`,
    keywords: ['hold'],
    noEffectReason: alreadyHeld,
    isHold: true,
  },
  release: {
    permission: 'UPDATE_FEATURE',
    label: (name) => `Release ${name}…`,
    keywords: ['release'],
    noEffectReason: notHeld,
    isHold: true,
  },
  archive: {
    permission: 'DELETE_FEATURE',
    label: (name) => `Archive ${name}`,
    keywords: ['archive'],
    noEffectReason: noReason,
  },
};

const allActions = Object.keys(paletteActions) as PaletteAction[];

/** Returns whether the deployment offers the action. Releasing needs a held toggle. */
function isOffered(action: PaletteAction, holds: PaletteHolds | undefined): boolean {
  if (!paletteActions[action].isHold) return true;
  return holds !== undefined && (action === 'hold' || holds.held.length > 0);
}

/** Actions that would change the toggle. */
export function applicableActions(toggle: Toggle, holds: PaletteHolds | undefined): PaletteAction[] {
  const offered = allActions.filter((action) => isOffered(action, holds));
  return offered.filter((action) => paletteActions[action].noEffectReason(toggle, holds?.held ?? []) === undefined);
}

/** Words of a query that are ignored, as in `switch off the basket` and `mark basket as stale`. */
const FILLER_WORDS = new Set(['switch', 'turn', 'mark', 'set', 'as', 'the']);

const MIN_PREFIX = 2;

/** Parses a query that starts with an action. The rest selects the toggles. */
export function parseAction(
  words: readonly string[],
  holds?: PaletteHolds,
): { action: PaletteAction; rest: readonly string[] } | undefined {
  const [first = '', ...rest] = words.filter((word) => !FILLER_WORDS.has(word));
  if (first.length < MIN_PREFIX) return undefined;
  const offered = allActions.filter((one) => isOffered(one, holds));
  const action = offered.find((one) => paletteActions[one].keywords.some((word) => word.startsWith(first)));
  // As in `hold off the basket`.
  return action && { action, rest: action === 'hold' ? rest.filter((word) => word !== 'off') : rest };
}
