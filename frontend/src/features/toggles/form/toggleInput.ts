// Input of the form for a new toggle or a copy: defaults, rollout groups that follow the name, and the body of the request.
import { NAME_LENGTH } from '@/api/generated/limits';
import type { Strategy, Toggle, ToggleDraft } from '@/api/generated/types';
import { removeSpaces } from '@/lib/text';
import {
  addDraft,
  createDrafts,
  type EditedStrategy,
  getDirtyKeys,
  type StrategyDrafts,
  toStrategyVersions,
} from '../activation/strategyDrafts';
import { copyToggle } from '../saving/toggleEdits';

export interface ToggleInput {
  readonly name: string;
  readonly type: string;
  readonly project: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly strategies: StrategyDrafts;
  /** The groups of copied rollouts are named after the copy. */
  readonly replaceGroupId: boolean;
}

export function createToggleInput(name = '', project = 'default'): ToggleInput {
  return {
    name: removeSpaces(name),
    type: 'release',
    project,
    description: '',
    enabled: true,
    strategies: createDrafts([]),
    replaceGroupId: true,
  };
}

/** Returns the input of a copy. The keys of the copied strategies are their indexes. */
export function copyToggleInput(source: Toggle): ToggleInput {
  const { type, project, description, enabled } = source;
  const strategies = copyToggle(source, '').strategies.reduce(addDraft, createDrafts([]));
  return { ...createToggleInput('', project), type, description: description ?? '', enabled, strategies };
}

/** Renames the toggle, and each rollout group that is named after it. */
export function renameToggle(input: ToggleInput, typed: string, source?: Toggle): ToggleInput {
  return withGroups(input, { ...input, name: removeSpaces(typed) }, source);
}

export function setReplaceGroupId(input: ToggleInput, replaceGroupId: boolean, source?: Toggle): ToggleInput {
  return withGroups(input, { ...input, replaceGroupId }, source);
}

/** Changes the groups that nobody has typed. */
function withGroups(before: ToggleInput, after: ToggleInput, source: Toggle | undefined): ToggleInput {
  const drafts = after.strategies.drafts.map((draft): EditedStrategy => {
    const [old, next] = [before, after].map((input) => getAutomaticGroup(input, draft.key, source));
    const { parameters } = draft.now;
    if (old === undefined || next === undefined || parameters?.['groupId'] !== old) return draft;
    return { ...draft, now: { ...draft.now, parameters: { ...parameters, groupId: next } } };
  });
  return { ...after, strategies: { ...after.strategies, drafts } };
}

/** Returns the group that a strategy has until another one is typed; undefined for a copied strategy without a group. */
function getAutomaticGroup({ name, replaceGroupId }: ToggleInput, key: number, source?: Toggle): string | undefined {
  const original = source?.strategies[key];
  if (!original) return name;
  const groupId = original.parameters?.['groupId'] || undefined;
  return groupId && replaceGroupId && name !== '' ? name : groupId;
}

/** Strategies need a valid toggle name, because their rollout group is named after it. */
export function canAddStrategy({ name }: Pick<ToggleInput, 'name'>): boolean {
  return name.length >= NAME_LENGTH.min;
}

/** Returns the strategies of the input as they are sent. */
function getStrategies({ strategies }: ToggleInput): Strategy[] {
  return toStrategyVersions(strategies, getDirtyKeys(strategies)).mine;
}

/** `needsStrategy` is true for servers that reject a toggle without strategies: it gets `default` then. */
export function toToggleBody(input: ToggleInput, needsStrategy: boolean): ToggleDraft {
  const strategies = getStrategies(input);
  return {
    name: input.name.trim(),
    description: input.description.trim(),
    type: input.type,
    project: input.project,
    enabled: input.enabled,
    stale: false,
    strategies: needsStrategy && strategies.length === 0 ? [{ name: 'default', parameters: {} }] : strategies,
    variants: [],
  };
}

/** Returns the body of a copy, which has all other fields of the original, and no strategy by default. */
export function toCopyBody(input: ToggleInput, source: Toggle): ToggleDraft {
  const { variants: _, stale: __, ...body } = toToggleBody(input, false);
  const isDescribedAlike = body.description === (source.description ?? '');
  return { ...copyToggle(source, body.name), ...body, ...(isDescribedAlike && { description: source.description }) };
}
