import { useCapabilities } from '@/api/capabilities';
import { inEnvironment } from '@/api/environment';
import type { Toggle } from '@/api/generated/types';
import { useFeatureTypes } from '@/api/reads';
import { estimateImpact } from '@/domain/impact/estimateImpact';
import { ImpactEstimate } from '@/domain/impact/ImpactEstimate';
import { useLastHour } from '@/domain/impact/useRecentChange';
import { isForEveryone } from '@/domain/strategies/audience';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { capitalise } from '@/lib/text';
import { Form } from '@/shared/Form';
import { Card } from '@/ui/Card';
import { Checkbox } from '@/ui/Checkbox';
import { WarningIcon } from '@/ui/icons';
import { SelectField } from '@/ui/Select';
import { ENABLED_TEXT, Switch } from '@/ui/Switch';
import { TextArea } from '@/ui/TextArea';
import { TextField } from '@/ui/TextField';
import { LintCard } from '../activation/ActivationLayout';
import { AudienceSentence } from '../activation/AudienceSentence';
import { NameHelp } from './NameHelp';
import { StrategySection, useStrategySection } from './StrategySection';
import { toToggleBody } from './toggleInput';
import type { ToggleForm as FormState } from './useToggleForm';

interface Props {
  form: FormState;
  submitLabel: string;
  alternativeLabel: string;
  /** Target of the Cancel link. */
  cancel: string;
}

/** Form for a new toggle, or a copy. It says above its buttons who gets the feature at once. */
export function ToggleForm({ form, submitLabel, alternativeLabel, cancel }: Props) {
  const { name } = form.errors;
  const section = useStrategySection(form);
  const { warnings, fix } = section.edits;
  return (
    <Form
      form={form.form}
      isNew
      submitLabel={submitLabel}
      permission="CREATE_FEATURE"
      disabledReason={form.source && name && 'Choose another name first.'}
      alwaysGuardsClose={form.source === undefined}
      effect={<CreationEffect form={form} />}
      alternative={{ label: alternativeLabel, onSubmit: form.createSwitchedOff }}
      cancel={cancel}
      footer={<LintCard notes={warnings} onFix={form.form.saving ? undefined : fix} />}
    >
      <ToggleFields form={form} />
      <StrategySection form={form} section={section} />
    </Form>
  );
}

function ToggleFields({ form: { input, change, projects, source, ...form } }: { form: FormState }) {
  const types = useFeatureTypes();
  const nameError = form.errors.name;
  return (
    <Card>
      <div className="grid gap-4 sm:grid-cols-2">
        <div className="sm:col-span-2">
          <TextField
            label="Name"
            required
            autoComplete="off"
            spellCheck={false}
            help={
              <NameHelp name={input.name} error={nameError}>
                The name your code uses. It cannot be changed later.
              </NameHelp>
            }
            error={nameError}
            value={input.name}
            onChange={form.rename}
            onBlur={form.checkName}
          />
        </div>
        <SelectField
          label="Toggle type"
          // A line is reserved while the types are loaded, so that the controls below do not move.
          help={types.length === 0 ? '\u00a0' : types.find(({ id }) => id === input.type)?.description}
          value={input.type}
          options={types.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(type) => change({ ...input, type })}
        />
        {projects.length > 1 && (
          <SelectField
            label="Project"
            value={input.project}
            options={projects.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(project) => change({ ...input, project })}
          />
        )}
        <div className="sm:col-span-2">
          <TextArea
            label="Description"
            rows={2}
            value={input.description}
            onChange={(description) => change({ ...input, description })}
          />
        </div>
        <div className="sm:col-span-2">
          <Switch
            label="Enabled"
            stateText={ENABLED_TEXT}
            checked={input.enabled}
            onChange={(enabled) => change({ ...input, enabled })}
          />
        </div>
        {source && (
          <div className="sm:col-span-2">
            <Checkbox
              label="Replace groupId"
              help="Names the groupId of gradual rollouts after the copy. Otherwise, both toggles select the same users."
              checked={input.replaceGroupId}
              onChange={form.setReplaceGroupId}
            />
          </div>
        )}
      </div>
    </Card>
  );
}

/** The audience of the toggle as soon as it is created. */
function CreationEffect({ form: { input, source, errors } }: { form: FormState }) {
  const { needsStrategy } = useCapabilities();
  // It is refused.
  if (source && needsStrategy && input.strategies.drafts.length === 0) return null;
  const { strategies } = toToggleBody(input, needsStrategy);
  const toggle = { name: input.name, enabled: input.enabled, strategies };
  const isLiveForEveryone = input.enabled && (strategies.length === 0 || strategies.some(isForEveryone));
  return (
    <div className="grid gap-1">
      <p className="wrap-anywhere flex gap-2 text-pretty text-section">
        {isLiveForEveryone && <WarningIcon className="mt-1 shrink-0 text-warn" />}
        <span className="min-w-0">
          <AudienceSentence before={toggle} after={toggle} ending={`${inEnvironment()} as soon as it is created`} />
        </span>
      </p>
      {input.enabled && <Estimate toggle={toggle} />}
      {errors.strategies && (
        <p role="alert" tabIndex={-1} className="wrap-anywhere text-danger text-secondary">
          {errors.strategies}
        </p>
      )}
    </div>
  );
}

const NOBODY = { enabled: false, strategies: [] };

/** The share of users who get the feature. Applications may already ask for a toggle that does not exist yet. */
function Estimate({ toggle }: { toggle: Pick<Toggle, 'name' | 'enabled' | 'strategies'> }) {
  const locale = useLocale();
  const counts = useLastHour(toggle.name);
  const impact = estimateImpact(counts ? NOBODY : toggle, toggle, {
    counts,
    formatNumber: (value) => formatNumber(value, locale),
  });
  if (counts) return <ImpactEstimate impact={impact} />;
  return (
    <p className="text-muted text-secondary">
      {impact.percentage && `${capitalise(impact.percentage)} of all users. `}No application has asked for it yet.
    </p>
  );
}
