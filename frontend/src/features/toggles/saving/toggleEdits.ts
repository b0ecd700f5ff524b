// Edits of a whole toggle. Fields unknown to the console are kept.

import type { Strategy, Toggle, ToggleDraft } from '@/api/generated/types';
import { normaliseWrittenToggle } from '@/api/normalise';
import { omitServerFields } from '@/domain/changes/serverFields';

function withoutId({ id: _, ...strategy }: Strategy): Strategy {
  return strategy;
}

/** Moves a toggle to a project and removes its strategies' ids, which belong to the old project. */
export function changeProject(toggle: Toggle, project: string): Toggle {
  if (toggle.project === project) return toggle;
  return { ...toggle, project, strategies: toggle.strategies.map(withoutId) };
}

/** Copies a toggle. With the original's groupId, both toggles would select the same users. */
export function copyToggle(source: Toggle, name: string, replaceGroupId: boolean): ToggleDraft {
  const kept = omitServerFields(source);
  const strategies = source.strategies.map(withoutId).map((strategy) => {
    const { parameters } = strategy;
    if (!replaceGroupId || !parameters?.['groupId']) return strategy;
    return { ...strategy, parameters: { ...parameters, groupId: name } };
  });
  const { dependencies } = source;
  return { ...kept, name, strategies, ...(dependencies && { dependencies }) };
}

/**
 * Restores a version of the toggle. The name, fields that the server maintains, and fields that the toggle or the
 * version lacks are kept, because events contain additional fields.
 */
export function restoreVersion(toggle: Toggle, version: Partial<Toggle>): Toggle {
  const { name: _, project = toggle.project, ...parts } = omitServerFields(structuredClone(version));
  normaliseWrittenToggle(parts);
  const shared = Object.fromEntries(Object.entries(parts).filter(([part]) => part in toggle));
  return changeProject({ ...toggle, ...shared }, project);
}
