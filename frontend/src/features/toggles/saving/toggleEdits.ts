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

/** Copies a toggle. The rollouts of the copy have the groups of the original, so that both select the same users. */
export function copyToggle(source: Toggle, name: string): ToggleDraft {
  const { dependencies } = source;
  const strategies = source.strategies.map(withoutId);
  return { ...omitServerFields(source), name, strategies, ...(dependencies && { dependencies }) };
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
