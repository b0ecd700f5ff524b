import { type ReactNode, useId, useRef, useState } from 'react';
import type { StrategyDefinition } from '@/api/generated/types';
import { cx } from '@/lib/cx';
import { Button } from '@/ui/Button';
import { Checkbox } from '@/ui/Checkbox';
import { FailureText } from '@/ui/FailureText';
import { inputClass } from '@/ui/fieldClass';
import { type IconComponent, OnlyUsersIcon } from '@/ui/icons';
import { omitDeprecated } from '../saving/rules';
import { strategyIcon } from './strategyIcons';
import { FILTER_FROM, groupStrategies, matchesFilter } from './strategyMenu';

export interface StrategyChoices {
  definitions: readonly StrategyDefinition[];
  /** The reason why the definitions could not be loaded. */
  failure?: Error | undefined;
  onRetry?: (() => void) | undefined;
  /** The toggle has a `default` strategy without constraints, next to which other strategies have no effect. */
  hasDefault: boolean;
  onAdd: (definition: StrategyDefinition, options: { replacesDefault: boolean }) => void;
  /** Limits the toggle to users. Undefined if the server has no strategy for it. */
  onLimitToUsers: (() => void) | undefined;
}

interface Props extends StrategyChoices {
  /** Called before the choice takes effect. */
  onChosen: () => void;
}

const ONLY_USERS = { name: 'Only these users', description: 'On for the users you list, and no one else.' };

/** Content of the menu: the strategies in groups, and the options of adding one. */
export function AddStrategyPanel(props: Props) {
  const { definitions: all, failure, onRetry, hasDefault, onAdd, onLimitToUsers, onChosen } = props;
  const definitions = omitDeprecated(all);
  const [filter, setFilter] = useState('');
  const [replaces, setReplaces] = useState(true);
  const field = useRef<HTMLInputElement>(null);
  const groups = groupStrategies(definitions, filter);
  const limits = onLimitToUsers && matchesFilter(filter, ONLY_USERS.name, ONLY_USERS.description);
  const count = groups.reduce((sum, group) => sum + group.definitions.length, limits ? 1 : 0);
  const isEmpty = count === 0;
  const choose = (act: () => void) => {
    onChosen();
    act();
  };
  if (failure && all.length === 0) return <LoadFailure failure={failure} onRetry={onRetry} />;
  return (
    <>
      {hasDefault && (
        <div className="border-line border-b px-3.5 py-2.5">
          <Checkbox
            label="Replace default"
            help="A strategy next to default has no effect."
            checked={replaces}
            onChange={setReplaces}
          />
        </div>
      )}
      {definitions.length >= FILTER_FROM && (
        <div className="border-line border-b p-1.5">
          <input
            ref={field}
            type="search"
            aria-label="Filter strategies"
            placeholder="Filter strategies"
            autoComplete="off"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
            className={inputClass}
          />
        </div>
      )}
      <p role="status" className={isEmpty ? 'wrap-anywhere px-4 py-6 text-center text-muted' : 'sr-only'}>
        {describeResult(filter.trim(), count)}
      </p>
      {isEmpty ? (
        filter !== '' && (
          <div className="pb-4 text-center">
            <Button
              size="small"
              onClick={() => {
                setFilter('');
                field.current?.focus();
              }}
            >
              Clear filter
            </Button>
          </div>
        )
      ) : (
        <div role="menu" aria-label="Strategies" className="min-h-0 overflow-y-auto p-1">
          {limits && <Item {...ONLY_USERS} icon={OnlyUsersIcon} onChoose={() => choose(onLimitToUsers)} />}
          {groups.map(({ label, definitions: some }) => (
            <Group key={label} label={label}>
              {some.map((definition) => (
                <Item
                  key={definition.name}
                  name={definition.name}
                  description={definition.description ?? ''}
                  icon={strategyIcon(definition.name)}
                  onChoose={() =>
                    choose(() =>
                      onAdd(definition, { replacesDefault: hasDefault && replaces && definition.name !== 'default' }),
                    )
                  }
                />
              ))}
            </Group>
          ))}
        </div>
      )}
    </>
  );
}

/** The result of the filter for screen readers, and for all users if it is empty. */
function describeResult(filter: string, count: number): string {
  if (count === 0) return filter === '' ? 'This server has no strategies.' : `No strategy contains “${filter}”.`;
  if (filter === '') return '';
  return count === 1 ? '1 strategy' : `${count} strategies`;
}

function LoadFailure({ failure, onRetry }: Pick<Props, 'onRetry'> & { failure: Error }) {
  return (
    <div className="grid justify-items-start gap-3 p-4">
      <FailureText failure={failure} />
      <Button size="small" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a menu may contain groups, but no fieldset.
    <div role="group" aria-labelledby={id}>
      <p id={id} role="presentation" className="px-2.5 pt-2 pb-1 font-semibold text-label text-muted">
        {label}
      </p>
      {children}
    </div>
  );
}

interface ItemProps {
  name: string;
  description: string;
  icon: IconComponent;
  onChoose: () => void;
}

/** Item whose description is beside the button, so that it is not a part of the name. The button covers the row. */
function Item({ name, description, icon: Icon, onChoose }: ItemProps) {
  const id = useId();
  return (
    <div className={ITEM}>
      <Icon className="mt-0.5 shrink-0 text-muted" />
      <div className="grid min-w-0 flex-1">
        <button
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-describedby={id}
          onClick={onChoose}
          className="truncate text-left font-medium outline-none after:absolute after:inset-0"
        >
          {name}
        </button>
        <p id={id} className="truncate text-label text-muted">
          {description}
        </p>
      </div>
    </div>
  );
}

const ITEM = cx(
  'relative flex items-start gap-2.5 rounded-chip px-2.5 py-1.5',
  'hover:bg-sunken has-focus:bg-accent-soft touch:min-h-touch',
);
