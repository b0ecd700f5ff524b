import { useState } from 'react';
import type { ContextField, Strategy, StrategyDefinition } from '@/api/generated/types';
import { Button } from '@/ui/Button';
import { FailureText } from '@/ui/FailureText';
import { DescribedItem, FilterMenu, matchesFilter } from '@/ui/FilterMenu';
import { AddIcon } from '@/ui/icons';
import { Switch } from '@/ui/Switch';
import { getDefaultParameters, omitDeprecated } from '../saving/rules';
import { canConstrainUsers, onlyUsers } from './limitAudience';
import { strategyIcon } from './strategyIcons';

interface Props {
  definitions: readonly StrategyDefinition[];
  /** The reason why the definitions could not be loaded. */
  failure?: Error | undefined;
  onRetry?: (() => void) | undefined;
  disabledReason?: string | undefined;
  /** Undefined while loading. */
  context: readonly ContextField[] | undefined;
  toggleName: string;
  /** The toggle has strategies, which a new one can replace. */
  canReplace: boolean;
  /** A strategy beside those of the toggle has no effect, so that it replaces them by default. */
  replacesByDefault: boolean;
  onAdd: (strategy: Strategy, options: { replaces: boolean }) => void;
}

/** Button that opens the strategies that can be added. */
export function AddStrategyMenu(props: Props) {
  const { definitions, failure, onRetry, disabledReason, canReplace, replacesByDefault, onAdd } = props;
  const [chosen, setChosen] = useState<boolean>();
  const replaces = canReplace && (chosen ?? replacesByDefault);

  function add(strategy: Strategy) {
    // The next one is added beside this one.
    setChosen(undefined);
    onAdd(strategy, { replaces });
  }

  function find(filter: string) {
    const choices = listStrategyChoices(props, filter);
    return {
      names: choices.map(getItemName),
      items: choices.map((choice) => (
        <DescribedItem
          key={getItemName(choice)}
          name={choice.label}
          detail={choice.detail}
          description={choice.description}
          icon={strategyIcon(choice.strategy.name)}
          onChoose={() => add(choice.strategy)}
        />
      )),
    };
  }

  return (
    <FilterMenu
      label="Add strategy"
      nouns={['strategy', 'strategies']}
      size="small"
      icon={<AddIcon size={15} />}
      disabledReason={disabledReason}
      header={canReplace && <ReplaceSwitch checked={replaces} onChange={setChosen} />}
      failure={failure && definitions.length === 0 && <LoadFailure failure={failure} onRetry={onRetry} />}
    >
      {find}
    </FilterMenu>
  );
}

interface ReplaceSwitchProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

function ReplaceSwitch(props: ReplaceSwitchProps) {
  return (
    <div className="border-line border-b px-3.5 py-2.5">
      <Switch label="Replace the rules" showLabel {...props} />
    </div>
  );
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

interface StrategyChoice {
  label: string;
  /** Technical name; undefined if it is the label. */
  detail: string | undefined;
  description: string | null | undefined;
  /** The strategy with its default parameters. */
  strategy: Strategy;
}

function getItemName({ label, detail }: StrategyChoice): string {
  return detail === undefined ? label : `${label} ${detail}`;
}

/** Labels of the built-in strategies, in the order of the menu. Custom strategies are before the older ones. */
const LABELS: Readonly<Record<string, string>> = {
  flexibleRollout: 'Gradual rollout',
  userWithId: 'Named users',
  default: 'Everyone',
  remoteAddress: 'Addresses',
  applicationHostname: 'Hosts',
};

/** Strategies that flexibleRollout replaces. Servers do not mark them as deprecated. */
const OLDER_LABELS: Readonly<Record<string, string>> = {
  gradualRolloutUserId: 'Gradual rollout by user',
  gradualRolloutSessionId: 'Gradual rollout by session',
  gradualRolloutRandom: 'Gradual rollout at random',
};

type ChoiceOptions = Pick<Props, 'definitions' | 'context' | 'toggleName'>;

/** Returns the strategies whose label, name or description contains the text. */
export function listStrategyChoices(
  { definitions, context, toggleName }: ChoiceOptions,
  filter = '',
): StrategyChoice[] {
  const offered = omitDeprecated(definitions);
  const toChoice = ({ name, description, parameters }: StrategyDefinition): StrategyChoice => {
    const label = findLabel(LABELS, name) ?? findLabel(OLDER_LABELS, name);
    const strategy = { name, parameters: getDefaultParameters(parameters, toggleName) };
    return { label: label ?? name, detail: label && name, description, strategy };
  };
  const rank = ({ name }: StrategyDefinition): number => {
    const [at, olderAt] = [LABELS, OLDER_LABELS].map((labels) => Object.keys(labels).indexOf(name));
    if (at !== undefined && at >= 0) return at;
    return olderAt !== undefined && olderAt >= 0 ? 200 + olderAt : 100;
  };
  const choices = offered.toSorted((one, other) => rank(one) - rank(other)).map(toChoice);
  const has = (name: string) => offered.some((one) => one.name === name);
  // Newer servers have deprecated the list of users.
  if (!has('userWithId') && has('default') && canConstrainUsers(context)) choices.splice(1, 0, CONSTRAINED_USERS);
  return choices.filter((choice) => matchesFilter(filter, getItemName(choice), choice.description ?? ''));
}

const CONSTRAINED_USERS: StrategyChoice = {
  label: 'Named users',
  detail: 'default where userId is …',
  description: 'On for the users that you list.',
  strategy: { name: 'default', parameters: {}, constraints: [onlyUsers([])] },
};

function findLabel(labels: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(labels, name) ? labels[name] : undefined;
}
