// Activation strategies of a new toggle.

import { Fragment } from 'react';
import { NAME_LENGTH } from '@/api/generated/limits';
import type { StrategyDefinition } from '@/api/generated/types';
import { describeStrategy } from '@/domain/strategies/describeStrategy';
import { IconButton } from '@/ui/IconButton';
import { AddIcon, RemoveIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import { useConfirm } from '@/ui/useConfirm';
import { canAddStrategy, type NewStrategy, omitDeprecated, type ToggleInput } from '../saving/rules';
import { OrDivider } from './OrDivider';
import { ParameterField } from './ParameterField';
import { StrategiesHeading } from './StrategiesHeading';
import { StrategyName } from './StrategyName';

interface Props {
  form: ToggleInput;
  definitions: readonly StrategyDefinition[];
  stickiness: readonly string[];
  onAdd: (definition: StrategyDefinition) => void;
  onChange: (strategy: NewStrategy) => void;
  onRemove: (key: number) => void;
}

export function StrategyForm({ form, definitions, stickiness, onAdd, onChange, onRemove }: Props) {
  const removal = useConfirm<NewStrategy>(({ key, name }) => ({
    title: `Remove ${name}`,
    body: 'Are you sure you want to remove this activation strategy?',
    confirmLabel: 'Remove',
    tone: 'danger',
    action: async () => onRemove(key),
  }));
  return (
    <section aria-labelledby="strategies-heading" className="grid gap-3">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <StrategiesHeading id="strategies-heading" />
        <Menu
          label="Add strategy"
          trigger={{ icon: <AddIcon />, text: 'Add strategy' }}
          items={omitDeprecated(definitions).map((definition) => ({
            id: definition.name,
            label: definition.name,
            onSelect: () => onAdd(definition),
          }))}
          disabledReason={
            canAddStrategy(form) ? undefined : `Enter a toggle name of at least ${NAME_LENGTH.min} characters first.`
          }
        />
      </header>
      {form.strategies.length === 0 && (
        <p className="rounded-card border border-dashed border-line-strong px-4 py-3 text-secondary text-muted">
          <span className="font-semibold text-text">default</span> is used if you add no strategy: the toggle is on for
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
            onRemove={() => void removal.ask(strategy)}
          />
        </Fragment>
      ))}
      {removal.dialog}
    </section>
  );
}

interface CardProps {
  strategy: NewStrategy;
  definition: StrategyDefinition | undefined;
  stickiness: readonly string[];
  onChange: (strategy: NewStrategy) => void;
  onRemove: () => void;
}

function StrategyFormCard({ strategy, definition, stickiness, onChange, onRemove }: CardProps) {
  const parameters = definition?.parameters ?? [];
  return (
    <fieldset aria-label={strategy.name} className="min-w-0 rounded-card border border-line bg-surface p-4 shadow-card">
      <header className="flex items-center gap-3">
        <StrategyName name={strategy.name} definition={definition} opensNewTab />
        <p className="flex-1 truncate text-secondary text-muted">
          {describeStrategy({ name: strategy.name, parameters: { ...strategy.parameters } }) || definition?.description}
        </p>
        <IconButton label={`Remove ${strategy.name}`} icon={<RemoveIcon />} onClick={onRemove} />
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
