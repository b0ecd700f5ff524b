// The activation strategies of a toggle that does not exist yet: any of them turns it on.
import { Plus, Trash2 } from 'lucide-react';
import { Fragment } from 'react';
import type { StrategyDefinition } from '@/api/generated/types';
import { describeStrategy } from '@/lib/describeStrategy';
import { useDialogSubject } from '@/lib/useDialogSubject';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { IconButton } from '@/ui/IconButton';
import { Menu } from '@/ui/Menu';
import { canAddStrategy, offered, type StrategyDraft, type ToggleInput } from '../rules';
import { OrDivider } from './OrDivider';
import { ParameterField } from './ParameterField';
import { StrategiesHeading } from './StrategiesHeading';
import { StrategyName } from './StrategyName';

interface Props {
  form: ToggleInput;
  definitions: readonly StrategyDefinition[];
  stickiness: readonly string[];
  onAdd: (definition: StrategyDefinition) => void;
  onChange: (strategy: StrategyDraft) => void;
  onRemove: (key: number) => void;
}

export function StrategyForm({ form, definitions, stickiness, onAdd, onChange, onRemove }: Props) {
  const { subject: removing, open, ask, close } = useDialogSubject<StrategyDraft>();
  return (
    <section aria-labelledby="strategies-heading" className="grid gap-3">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <StrategiesHeading id="strategies-heading" />
        <Menu
          label="Add strategy"
          trigger={{ icon: <Plus size={16} strokeWidth={1.75} aria-hidden="true" />, text: 'Add strategy' }}
          items={offered(definitions).map((definition) => ({
            id: definition.name,
            label: definition.name,
            onSelect: () => onAdd(definition),
          }))}
          disabledReason={canAddStrategy(form) ? undefined : 'Give the toggle a name of two characters or more first.'}
        />
      </header>
      {form.strategies.length === 0 && (
        <p className="rounded-card border border-dashed border-line-strong px-4 py-3 text-secondary text-muted">
          <span className="font-semibold text-text">default</span> is used as long as you add none: the toggle is on for
          everyone while it is enabled.
        </p>
      )}
      {form.strategies.map((strategy, index) => (
        <Fragment key={strategy.key}>
          {index > 0 && <OrDivider />}
          <StrategyFormCard
            strategy={strategy}
            definition={definitions.find(({ name }) => name === strategy.name)}
            stickiness={stickiness}
            onChange={onChange}
            onRemove={() => ask(strategy)}
          />
        </Fragment>
      ))}
      <ConfirmDialog
        open={open}
        title={`Remove ${removing?.name ?? 'strategy'}`}
        body="Are you sure you want to remove this activation strategy?"
        confirmLabel="Remove"
        tone="danger"
        onConfirm={async () => {
          if (removing) onRemove(removing.key);
        }}
        onClose={close}
      />
    </section>
  );
}

interface CardProps {
  strategy: StrategyDraft;
  definition: StrategyDefinition | undefined;
  stickiness: readonly string[];
  onChange: (strategy: StrategyDraft) => void;
  onRemove: () => void;
}

function StrategyFormCard({ strategy, definition, stickiness, onChange, onRemove }: CardProps) {
  const parameters = definition?.parameters ?? [];
  return (
    <fieldset aria-label={strategy.name} className="min-w-0 rounded-card border border-line bg-surface p-4 shadow-card">
      <header className="flex items-center gap-3">
        <StrategyName name={strategy.name} definition={definition} beside />
        <p className="flex-1 truncate text-secondary text-muted">
          {describeStrategy({ name: strategy.name, parameters: { ...strategy.parameters } }) || definition?.description}
        </p>
        <IconButton
          label={`Remove ${strategy.name}`}
          icon={<Trash2 size={16} strokeWidth={1.75} aria-hidden="true" />}
          onClick={onRemove}
        />
      </header>
      {parameters.length > 0 && (
        <div className="mt-4 grid gap-4 sm:grid-cols-2">
          {parameters.map((parameter) => (
            <ParameterField
              key={parameter.name}
              parameter={parameter}
              value={strategy.parameters[parameter.name] ?? ''}
              stickiness={stickiness}
              onChange={(value) =>
                onChange({ ...strategy, parameters: { ...strategy.parameters, [parameter.name]: value } })
              }
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}
