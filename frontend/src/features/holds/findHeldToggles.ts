import type { HoldList } from '@/api/generated/types';

/** Names of the toggles that are held in an environment; without one, in any. */
export function findHeldToggles(list: HoldList | undefined, environment: string | undefined): readonly string[] {
  const isHere = (held: string | null) => held === null || environment === undefined || held === environment;
  return (list?.holds ?? []).filter((held) => isHere(held.environment)).map(({ toggle }) => toggle);
}
