// What the palette can do to a toggle, by which words, and with which permission.
import type { Toggle } from '@/api/generated/types';

export type Deed = 'enable' | 'disable' | 'stale' | 'active' | 'copy' | 'archive';

interface DeedKind {
  permission: string;
  label: (name: string) => string;
  /** What one may call it, at the beginning of what is typed. */
  words: readonly string[];
  /** Why it would do nothing to this toggle. */
  idle: (toggle: Toggle) => string | undefined;
}

const isOn = ({ enabled }: Toggle) => (enabled ? 'It is on already.' : undefined);
const isOff = ({ enabled }: Toggle) => (enabled ? undefined : 'It is off already.');
const isStale = ({ stale }: Toggle) => (stale ? 'It is stale already.' : undefined);
const isActive = ({ stale }: Toggle) => (stale ? undefined : 'It is active already.');
const never = () => undefined;

export const deeds: { [deed in Deed]: DeedKind } = {
  enable: { permission: 'UPDATE_FEATURE', label: (name) => `Enable ${name}`, words: ['enable', 'on'], idle: isOn },
  disable: { permission: 'UPDATE_FEATURE', label: (name) => `Disable ${name}`, words: ['disable', 'off'], idle: isOff },
  stale: { permission: 'UPDATE_FEATURE', label: (name) => `Mark ${name} as stale`, words: ['stale'], idle: isStale },
  active: {
    permission: 'UPDATE_FEATURE',
    label: (name) => `Mark ${name} as active`,
    words: ['active'],
    idle: isActive,
  },
  copy: { permission: 'CREATE_FEATURE', label: (name) => `Copy ${name}`, words: ['copy', 'clone'], idle: never },
  archive: { permission: 'DELETE_FEATURE', label: (name) => `Archive ${name}`, words: ['archive'], idle: never },
};

const allDeeds = Object.keys(deeds) as Deed[];

/** Those that would change something. */
export function deedsFor(toggle: Toggle): Deed[] {
  return allDeeds.filter((deed) => deeds[deed].idle(toggle) === undefined);
}

/** Words that say nothing by themselves, as in `switch off the basket` and `mark basket as stale`. */
const FILLERS = new Set(['switch', 'turn', 'mark', 'set', 'as', 'the']);

const SHORTEST = 2;

/** What is to be done to which toggles, where what is typed begins with a deed. */
export function deedIn(words: readonly string[]): { deed: Deed; rest: readonly string[] } | undefined {
  const [first = '', ...rest] = words.filter((word) => !FILLERS.has(word));
  if (first.length < SHORTEST) return undefined;
  const deed = allDeeds.find((one) => deeds[one].words.some((word) => word.startsWith(first)));
  return deed && { deed, rest };
}
