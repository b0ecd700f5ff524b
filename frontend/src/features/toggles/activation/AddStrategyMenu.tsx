import { useState } from 'react';
import type { Strategy, StrategyDefinition } from '@/api/generated/types';
import { getShareParameter } from '@/domain/strategies/builtInStrategies';
import { Button } from '@/ui/Button';
import type { ButtonSize } from '@/ui/buttonClass';
import { Checkbox } from '@/ui/Checkbox';
import { FailureText } from '@/ui/FailureText';
import { DescribedItem, FilterMenu, ItemGroup, matchesFilter } from '@/ui/FilterMenu';
import { AddIcon, OnlyUsersIcon, PercentageIcon } from '@/ui/icons';
import { omitDeprecated } from '../saving/rules';
import { strategyIcon } from './strategyIcons';

interface Props extends StrategyChoices {
  size?: ButtonSize;
  disabledReason?: string | undefined;
}

const ONLY_USERS = { name: 'Only these users', description: 'On for the users you list, and no one else.' };

/** Button that opens the strategies that can be added, in groups. */
export function AddStrategyMenu(props: Props) {
  const { size, disabledReason, definitions, failure, onRetry, hasDefault, onAdd, onLimitToUsers } = props;
  const [replaces, setReplaces] = useState(true);

  function find(filter: string) {
    const groups = groupStrategies(omitDeprecated(definitions), filter);
    const limit = matchesFilter(filter, ONLY_USERS.name, ONLY_USERS.description) ? onLimitToUsers : undefined;
    const names = groups.flatMap((group) => group.definitions.map(({ name }) => name));
    return {
      names: limit ? [ONLY_USERS.name, ...names] : names,
      items: (
        <>
          {limit && <DescribedItem {...ONLY_USERS} icon={OnlyUsersIcon} onChoose={limit} />}
          {groups.map(({ label, definitions: some }) => (
            <ItemGroup key={label} label={label}>
              {some.map((definition) => (
                <DescribedItem
                  key={definition.name}
                  name={definition.name}
                  description={definition.description}
                  icon={strategyIcon(definition.name)}
                  onChoose={() =>
                    onAdd(definition, { replacesDefault: hasDefault && replaces && definition.name !== 'default' })
                  }
                />
              ))}
            </ItemGroup>
          ))}
        </>
      ),
    };
  }

  return (
    <FilterMenu
      label="Add strategy"
      nouns={['strategy', 'strategies']}
      icon={<AddIcon size={15} />}
      disabledReason={disabledReason}
      {...(size && { size })}
      header={hasDefault && <ReplaceDefault checked={replaces} onChange={setReplaces} />}
      failure={failure && definitions.length === 0 && <LoadFailure failure={failure} onRetry={onRetry} />}
    >
      {find}
    </FilterMenu>
  );
}

interface AddStrategiesProps extends Props {
  /** The strategies of the toggle. */
  strategies: readonly Strategy[];
}

/** Button that opens the menu, and buttons for the two most common strategies that the toggle does not have. */
export function AddStrategies({ strategies, ...menu }: AddStrategiesProps) {
  const { definitions, disabledReason, hasDefault, onAdd, onLimitToUsers } = menu;
  const rollout = definitions.find(({ name, deprecated }) => name === 'flexibleRollout' && !deprecated);
  const canRollOut = rollout !== undefined && !strategies.some(({ name }) => getShareParameter(name) !== undefined);
  const canLimit = onLimitToUsers && !strategies.some(({ name }) => name === 'userWithId');
  return (
    <div className="flex flex-wrap items-center gap-2">
      <AddStrategyMenu {...menu} size="small" />
      {(canRollOut || canLimit) && <span className="text-muted text-secondary max-sm:sr-only">or</span>}
      <CommonStrategies
        disabledReason={disabledReason}
        onRollOut={canRollOut ? () => onAdd(rollout, { replacesDefault: hasDefault }) : undefined}
        onLimitToUsers={canLimit ? onLimitToUsers : undefined}
      />
    </div>
  );
}

interface CommonStrategiesProps {
  disabledReason: string | undefined;
  /** Undefined without a button. */
  onRollOut: (() => void) | undefined;
  onLimitToUsers: (() => void) | undefined;
}

/** Buttons that add the two most common strategies. */
export function CommonStrategies({ disabledReason, onRollOut, onLimitToUsers }: CommonStrategiesProps) {
  return (
    <>
      {onRollOut && (
        <Button size="small" icon={<PercentageIcon size={15} />} disabledReason={disabledReason} onClick={onRollOut}>
          Roll out gradually
        </Button>
      )}
      {onLimitToUsers && (
        <Button
          size="small"
          icon={<OnlyUsersIcon size={15} />}
          disabledReason={disabledReason}
          onClick={onLimitToUsers}
        >
          Only these users
        </Button>
      )}
    </>
  );
}

interface StrategyChoices {
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

interface ReplaceDefaultProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

function ReplaceDefault(props: ReplaceDefaultProps) {
  return (
    <div className="border-line border-b px-3.5 py-2.5">
      <Checkbox label="Replace default" help="A strategy next to default has no effect." {...props} />
    </div>
  );
}

function LoadFailure({ failure, onRetry }: Pick<StrategyChoices, 'onRetry'> & { failure: Error }) {
  return (
    <div className="grid justify-items-start gap-3 p-4">
      <FailureText failure={failure} />
      <Button size="small" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}

interface StrategyGroup {
  label: string;
  definitions: readonly StrategyDefinition[];
}

const COMMON = ['flexibleRollout', 'userWithId', 'default'];

/** Strategies that flexibleRollout replaces. Servers do not mark them as deprecated. */
const OLDER = /^gradualRollout(Random|SessionId|UserId)$/u;

/** Returns the strategies whose name or description contains the text, common ones first. Omits empty groups. */
export function groupStrategies(definitions: readonly StrategyDefinition[], filter = ''): StrategyGroup[] {
  const shown = definitions.filter(({ name, description }) => matchesFilter(filter, name, description ?? ''));
  const common = COMMON.flatMap((name) => shown.find((one) => one.name === name) ?? []);
  const others = shown.filter(({ name }) => !COMMON.includes(name) && !OLDER.test(name));
  const older = shown.filter(({ name }) => OLDER.test(name));
  return [
    { label: 'Common', definitions: common },
    { label: 'More', definitions: others },
    { label: 'Older', definitions: older },
  ].filter((group) => group.definitions.length > 0);
}
