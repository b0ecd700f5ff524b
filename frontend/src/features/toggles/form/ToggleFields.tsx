import type { Project } from '@/api/generated/types';
import { useFeatureTypes } from '@/api/reads';
import { Card } from '@/ui/Card';
import { SelectField } from '@/ui/SelectField';
import { ENABLED_TEXT, Switch } from '@/ui/Switch';
import { TextArea } from '@/ui/TextArea';
import { TextField } from '@/ui/TextField';
import { renameToggle, type ToggleInput } from '../saving/rules';
import { NameHelp } from './NameHelp';

interface Props {
  form: ToggleInput;
  onChange: (form: ToggleInput) => void;
  nameError: string | undefined;
  checkName: () => void;
  projects: readonly Project[];
}

export function ToggleFields({ form, onChange, nameError, checkName, projects }: Props) {
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
          help={types.find(({ id }) => id === form.type)?.description}
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
