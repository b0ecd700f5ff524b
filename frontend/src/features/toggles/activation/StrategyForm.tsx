// Activation strategies of a new toggle.

import { Fragment, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useCapabilities } from '@/api/capabilities';
import { inEnvironment } from '@/api/environment';
import { NAME_LENGTH } from '@/api/generated/limits';
import type { StrategyDefinition } from '@/api/generated/types';
import { isUnlimitedDefault } from '@/domain/strategies/audience';
import { describeRule } from '@/domain/strategies/ruleSentence';
import { focusFirstField } from '@/lib/requestedFocus';
import { MoreIcon, RemoveIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import { useConfirm } from '@/ui/useConfirm';
import { addStrategy, canAddStrategy, type NewStrategy, setOnlyStrategy, type ToggleInput } from '../saving/rules';
import { AddStrategyMenu, CommonStrategies } from './AddStrategyMenu';
import { OrDivider } from './OrDivider';
import { ParameterField } from './ParameterField';
import { StrategiesHeading } from './StrategiesHeading';
import { StrategyName } from './StrategyName';

interface Props {
  form: ToggleInput;
  definitions: readonly StrategyDefinition[];
  stickiness: readonly string[];
  onChange: (form: ToggleInput) => void;
}

export function StrategyForm({ form, definitions, stickiness, onChange }: Props) {
  const cards = useRef<HTMLDivElement>(null);
  const change = (strategies: readonly NewStrategy[]) => onChange({ ...form, strategies });
  const removal = useConfirm<NewStrategy>(({ key, name }) => ({
    title: `Remove ${name}`,
    body: 'Are you sure you want to remove this activation strategy?',
    confirmLabel: 'Remove',
    tone: 'danger',
    action: async () => change(form.strategies.filter((one) => one.key !== key)),
  }));
  /** Changes the strategies, and focuses the last one. */
  const changeAndFocus = (next: ToggleInput) => {
    flushSync(() => onChange(next));
    const last = cards.current?.lastElementChild;
    if (last instanceof HTMLElement) focusFirstField(last);
  };
  const disabledReason = canAddStrategy(form)
    ? undefined
    : `Enter a toggle name of at least ${NAME_LENGTH.min} characters first.`;
  const find = (name: string) => definitions.find((one) => one.name === name && !one.deprecated);
  const [rollout, list] = [find('flexibleRollout'), find('userWithId')];
  const onLimitToUsers = list && (() => changeAndFocus(setOnlyStrategy(form, list)));
  return (
    <section aria-labelledby="strategies-heading" className="grid gap-3">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <StrategiesHeading id="strategies-heading" />
        <AddStrategyMenu
          definitions={definitions}
          hasDefault={form.strategies.some(isUnlimitedDefault)}
          onAdd={(definition, options) => changeAndFocus(addStrategy(form, definition, options))}
          onLimitToUsers={onLimitToUsers}
          disabledReason={disabledReason}
        />
      </header>
      {form.strategies.length === 0 && (
        <div className="grid gap-3 rounded-card border border-line-strong border-dashed px-4 py-3 text-muted text-secondary">
          <WithoutStrategies enabled={form.enabled} />
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <CommonStrategies
              disabledReason={disabledReason}
              onRollOut={rollout && (() => changeAndFocus(addStrategy(form, rollout)))}
              onLimitToUsers={onLimitToUsers}
            />
            {disabledReason !== undefined && <p>Enter a name first.</p>}
          </div>
        </div>
      )}
      <div ref={cards} className="grid gap-3 empty:hidden">
        {form.strategies.map((strategy, index) => (
          <Fragment key={strategy.key}>
            {index > 0 && <OrDivider isBlock />}
            <StrategyFormCard
              strategy={strategy}
              definition={definitions.find(({ name }) => name === strategy.name)}
              stickiness={stickiness}
              onChange={(changed) => change(form.strategies.map((one) => (one.key === changed.key ? changed : one)))}
              onRemove={() => void removal.ask(strategy)}
            />
          </Fragment>
        ))}
      </div>
      {removal.dialog}
    </section>
  );
}

/** Effect of creating the toggle without strategies. */
function WithoutStrategies({ enabled }: { enabled: boolean }) {
  if (useCapabilities().needsStrategy)
    return (
      <p>
        <span className="font-semibold text-text">default</span> is used if you add no strategy: the toggle is on for
        everyone while it is enabled.
      </p>
    );
  return (
    <p>
      <span className="font-semibold text-text">
        Without a strategy, the toggle is {enabled ? 'on' : 'off'} for everyone{inEnvironment()}.
      </span>{' '}
      {enabled ? 'The server adds' : 'Switching it on adds'} a rollout to 100&nbsp;% of users.
    </p>
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
        <p className="flex-1 truncate text-secondary text-muted">{describeRule(strategy)}</p>
        <Menu
          label={`Actions for ${strategy.name}`}
          trigger={{ icon: <MoreIcon size={17} /> }}
          items={[{ id: 'remove', label: 'Remove', icon: <RemoveIcon />, tone: 'danger', onSelect: onRemove }]}
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
