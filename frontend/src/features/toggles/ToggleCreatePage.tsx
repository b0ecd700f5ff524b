import { useLocation } from 'react-router-dom';
import { currentCapabilities } from '@/api/capabilities';
import { context, strategies, validateFeature } from '@/api/endpoints';
import { inEnvironment } from '@/api/environment';
import type { Project } from '@/api/generated/types';
import { useAnnouncedRead } from '@/api/useRead';
import { useFeatureTypes, useProjects } from '@/api/reads';
import { useUnsupportedServer } from '@/api/unsupportedServer';
import { isForEveryone } from '@/domain/strategies/audience';
import { resolveProject } from '@/domain/toggles/toggleList';
import { getNewToggleProject } from '@/domain/toggles/toggleListSettings';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { Form } from '@/shared/Form';
import { useOpenPage } from '@/shared/navigation';
import { useForm } from '@/shared/useForm';
import { nameFromUrl } from '@/shared/useRouteParams';
import { Card } from '@/ui/Card';
import { PageHeader } from '@/ui/PageHeader';
import { SelectField } from '@/ui/Select';
import { ENABLED_TEXT, Switch } from '@/ui/Switch';
import { TextArea } from '@/ui/TextArea';
import { TextField } from '@/ui/TextField';
import { StrategyForm } from './activation/StrategyForm';
import { NameHelp } from './form/NameHelp';
import { openUsePanel } from './page/UsePanel';
import {
  createToggleInput,
  getStickinessOptions,
  renameToggle,
  type ToggleInput,
  toToggleBody,
  validateStrategy,
} from './saving/rules';
import { useToggleWrites } from './saving/useToggleWrites';
import { UnsupportedServerPage } from './unsupported/UnsupportedServerPanel';

export function ToggleCreatePage() {
  const { form, input, definitions, stickiness, ...fields } = useToggleForm();
  const { setInput } = form;
  const unsupported = useUnsupportedServer();
  if (unsupported) return <UnsupportedServerPage title="New toggle" error={unsupported} />;
  return (
    <>
      <PageHeader title="New toggle" breadcrumb={<Breadcrumb within={sections.toggles} />} />
      <Form
        form={form}
        isNew
        submitLabel="Create"
        permission="CREATE_FEATURE"
        alwaysGuardsClose
        alternative={
          goesLive(input)
            ? {
                note: `Goes live for everyone${inEnvironment()} on create`,
                label: 'Create switched off',
                onSubmit: () => void form.submitWith({ enabled: false }),
              }
            : undefined
        }
        cancel={paths.toggles()}
      >
        <ToggleFields form={input} onChange={setInput} nameError={form.errors.name} {...fields} />
        <StrategyForm form={input} definitions={definitions} stickiness={stickiness} onChange={setInput} />
      </Form>
    </>
  );
}

/** Returns whether the new toggle is on for everyone. Without a strategy, it gets `default` or a rollout of 100 %. */
function goesLive({ enabled, strategies }: ToggleInput): boolean {
  return enabled && (strategies.length === 0 || strategies.some(isForEveryone));
}

interface ToggleFieldsProps {
  form: ToggleInput;
  onChange: (form: ToggleInput) => void;
  nameError: string | undefined;
  checkName: () => void;
  projects: readonly Project[];
}

function ToggleFields({ form, onChange, nameError, checkName, projects }: ToggleFieldsProps) {
  const types = useFeatureTypes();
  return (
    <Card>
      <div className="grid gap-4 sm:grid-cols-2">
        <div className="sm:col-span-2">
          <TextField
            label="Name"
            required
            data-first-focus
            autoComplete="off"
            spellCheck={false}
            help={
              <NameHelp name={form.name} error={nameError}>
                The name your code uses. It cannot be changed later.
              </NameHelp>
            }
            error={nameError}
            value={form.name}
            onChange={(name) => onChange(renameToggle(form, name))}
            onBlur={checkName}
          />
        </div>
        <SelectField
          label="Toggle type"
          // A line is reserved while the types are loaded, so that the controls below do not move.
          help={types.length === 0 ? '\u00a0' : types.find(({ id }) => id === form.type)?.description}
          value={form.type}
          options={types.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(type) => onChange({ ...form, type })}
        />
        {projects.length > 1 && (
          <SelectField
            label="Project"
            value={form.project}
            options={projects.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(project) => onChange({ ...form, project })}
          />
        )}
        <div className="sm:col-span-2">
          <TextArea
            label="Description"
            rows={2}
            value={form.description}
            onChange={(description) => onChange({ ...form, description })}
          />
        </div>
        <div className="sm:col-span-2">
          <Switch
            label="Enabled"
            stateText={ENABLED_TEXT}
            checked={form.enabled}
            onChange={(enabled) => onChange({ ...form, enabled })}
          />
        </div>
      </div>
    </Card>
  );
}

/** Form for creating a toggle. */
function useToggleForm() {
  const location = useLocation();
  const open = useOpenPage();
  const { create } = useToggleWrites();
  const definitions = useAnnouncedRead(strategies).data?.strategies ?? [];
  const projects = useProjects();
  const form = useForm({
    start: createToggleInput(
      nameFromUrl(location),
      new URLSearchParams(location.search).get('project') ?? getNewToggleProject(),
    ),
    rules: ({ name, strategies: cards }) => ({
      name: name === '' ? 'Enter a name.' : undefined,
      strategies: cards.map((card) => validateStrategy(card, definitions)).find(Boolean),
    }),
    save: async (input) => {
      const toggle = { ...input, project: resolveProject(input.project, projects, 'default') };
      await create(toToggleBody(toggle, currentCapabilities().needsStrategy));
    },
    onSaved: ({ name }) => {
      openUsePanel(name, { takesFocus: false });
      void open(paths.toggle(name));
    },
    idField: 'name',
  });
  return {
    form,
    input: { ...form.input, project: resolveProject(form.input.project, projects, 'default') },
    checkName: () => void form.check('name', validateFeature),
    projects,
    definitions,
    stickiness: getStickinessOptions(useAnnouncedRead(context).data ?? []),
  };
}
