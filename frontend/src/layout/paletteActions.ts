// What the palette can do to a toggle, by which words, and with which permission.
import type { Toggle } from '@/api/generated/types';

export type PaletteAction = 'enable' | 'disable' | 'stale' | 'active' | 'copy' | 'archive';

interface ActionDefinition {
  permission: string;
  label: (name: string) => string;
  /** What one may call it, at the beginning of what is typed. */
  keywords: readonly string[];
  /** Why it would do nothing to this toggle. */
  noEffectReason: (toggle: Toggle) => string | undefined;
}

const alreadyOn = ({ enabled }: Toggle) => (enabled ? 'It is on already.' : undefined);
const alreadyOff = ({ enabled }: Toggle) => (enabled ? undefined : 'It is off already.');
const alreadyStale = ({ stale }: Toggle) => (stale ? 'It is stale already.' : undefined);
const alreadyActive = ({ stale }: Toggle) => (stale ? undefined : 'It is active already.');
const noReason = () => undefined;

export const paletteActions: { [deed in PaletteAction]: ActionDefinition } = {
  enable: {
    permission: 'UPDATE_FEATURE',
    label: (name) => `Enable ${name}`,
    keywords: ['enable', 'on'],
    noEffectReason: alreadyOn,
  },
  disable: {
    permission: 'UPDATE_FEATURE',
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

/** Those that would change something. */
export function applicableActions(toggle: Toggle): PaletteAction[] {
  return allActions.filter((deed) => paletteActions[deed].noEffectReason(toggle) === undefined);
}

/** Words that say nothing by themselves, as in `switch off the basket` and `mark basket as stale`. */
const FILLER_WORDS = new Set(['switch', 'turn', 'mark', 'set', 'as', 'the']);

const MIN_PREFIX = 2;

/** What is to be done to which toggles, where what is typed begins with a deed. */
export function parseAction(words: readonly string[]): { deed: PaletteAction; rest: readonly string[] } | undefined {
  const [first = '', ...rest] = words.filter((word) => !FILLER_WORDS.has(word));
  if (first.length < MIN_PREFIX) return undefined;
  const deed = allActions.find((one) => paletteActions[one].keywords.some((word) => word.startsWith(first)));
  return deed && { deed, rest };
}
