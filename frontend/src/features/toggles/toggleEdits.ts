// Edits of a whole toggle. What a server sends beyond what the console knows goes through untouched.
import type { Event, Strategy, Toggle, ToggleDraft } from '@/api/generated/types';
import { omitServerFields } from '@/lib/serverFields';

function withoutId({ id: _, ...strategy }: Strategy): Strategy {
  return strategy;
}

/** The ids of strategies belong to their project. */
export function changeProject(toggle: Toggle, project: string): Toggle {
  if (toggle.project === project) return toggle;
  return { ...toggle, project, strategies: toggle.strategies.map(withoutId) };
}

/** Another toggle that does the same. Users in the group of the original would get the same share of both. */
export function copyOf(source: Toggle, name: string, replaceGroupId: boolean): ToggleDraft {
  const { createdAt: _, lastSeenAt: __, ...kept } = source;
  const strategies = source.strategies.map(withoutId).map((strategy) => {
    const { parameters } = strategy;
    if (!replaceGroupId || !parameters?.['groupId']) return strategy;
    return { ...strategy, parameters: { ...parameters, groupId: name } };
  });
  return { ...kept, name, strategies };
}

/** What an event says the toggle was after it; undefined for one that says only part of it, such as an archiving. */
export function versionIn({ data }: Event): Partial<Toggle> | undefined {
  const strategies = data?.['strategies'];
  return Array.isArray(strategies) && strategies.length > 0 ? (data as Partial<Toggle>) : undefined;
}

/**
 * The toggle as it was in that version. Its name and the fields that the server maintains stay, and so does every field
 * that only one of the two has: events have fields of their own.
 */
export function restored(toggle: Toggle, version: Partial<Toggle>): Toggle {
  const { name: _, project = toggle.project, ...parts } = omitServerFields(version);
  const shared = Object.fromEntries(Object.entries(parts).filter(([part]) => part in toggle));
  return changeProject({ ...toggle, ...shared }, project);
}
