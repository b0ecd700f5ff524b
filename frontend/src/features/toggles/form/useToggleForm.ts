import { context as contextFields, strategies, validateFeature } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { useAnnouncedRead } from '@/api/useRead';
import { useProjects } from '@/api/reads';
import { resolveProject } from '@/domain/toggles/toggleList';
import { useForm } from '@/shared/useForm';
import { findInvalidStrategy } from '../activation/findInvalidStrategy';
import type { StrategyDrafts } from '../activation/strategyDrafts';
import { renameToggle, setReplaceGroupId, type ToggleInput } from './toggleInput';

export type ToggleForm = ReturnType<typeof useToggleForm>;

interface Options {
  start: ToggleInput;
  /** The toggle that is copied; undefined for a new one. */
  source?: Toggle | undefined;
  create: (input: ToggleInput, source: Toggle | undefined) => Promise<void>;
  onCreated: (name: string) => void;
}

/** Form for creating or copying a toggle. */
export function useToggleForm({ start, source, create, onCreated }: Options) {
  const known = useAnnouncedRead(strategies);
  const context = useAnnouncedRead(contextFields).data;
  const definitions = known.data?.strategies;
  const projects = useProjects();
  const withProject = (input: ToggleInput) => ({
    ...input,
    project: resolveProject(input.project, projects, 'default'),
  });
  const form = useForm<ToggleInput, Toggle | undefined>({
    start,
    ...(source && { base: source }),
    rules: ({ name, strategies: { drafts } }) => ({
      name: name === '' ? 'Enter a name.' : undefined,
      strategies: findInvalidStrategy(drafts, definitions),
    }),
    save: (input, base) => create(withProject(input), base),
    onSaved: ({ name }) => onCreated(name),
    idField: 'name',
  });
  const { base, updateInput, errors } = form;
  return {
    form,
    input: withProject(form.input),
    /** The toggle that is copied, as it was when editing began. */
    source: base,
    errors,
    change: form.setInput,
    rename: (name: string) => updateInput((input) => renameToggle(input, name, base)),
    setReplaceGroupId: (replaceGroupId: boolean) =>
      updateInput((input) => setReplaceGroupId(input, replaceGroupId, base)),
    updateStrategies: (edit: (state: StrategyDrafts) => StrategyDrafts) =>
      updateInput((input) => ({ ...input, strategies: edit(input.strategies) })),
    checkName: () => void form.check('name', validateFeature),
    createSwitchedOff: () => void form.submitWith({ enabled: false }),
    projects,
    known,
    definitions,
    context,
  };
}
