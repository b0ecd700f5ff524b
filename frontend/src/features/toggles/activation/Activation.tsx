import { type ReactNode, useState } from 'react';
import { strategies } from '@/api/endpoints';
import type { Constraint, Strategy, StrategyDefinition, Toggle } from '@/api/generated/types';
import { useAnnouncedRead } from '@/api/useRead';
import type { NewerToggle } from '@/api/newerTypes';
import { usePermission } from '@/api/permissions';
import { useEstimate } from '@/domain/impact/ImpactEstimate';
import { describeMissingValues } from '@/domain/strategies/describeConstraint';
import { getOmittedParameters } from '@/domain/strategies/ruleSentence';
import { getParameterLabel } from '@/domain/strategies/strategyNames';
import { useSegmentName } from '@/domain/strategies/useSegmentName';
import { cx } from '@/lib/cx';
import { withPercentSign } from '@/lib/format';
import { splitList } from '@/lib/text';
import { Chip } from '@/ui/Chip';
import { EditCapture } from '@/ui/EditCapture';
import { useShowMore } from '@/ui/useShowMore';
import { LabCard } from '../lab/LabCard';
import { getReadOnlyKeys, ResultsContext } from '../lab/reasons';
import { StrategyVerdict } from '../lab/StrategyVerdict';
import { useLab } from '../lab/useLab';
import { ARCHIVED_REASON } from '../page/lockedReasons';
import { ActivationEditor } from './ActivationEditor';
import { ActivationLayout } from './ActivationLayout';
import { ImpactCard } from './Impact';
import { lintToggle } from './lintToggle';
import { NoStrategies } from './NoStrategies';
import { OrDivider } from './OrDivider';
import { RestRow } from './RestRow';
import { RuleDetails, RuleSentence } from './RuleSentence';
import { plainEdgeClass, ruleRowClass } from './ruleRowClass';
import { StrategyName, UndefinedStrategyNote } from './StrategyName';
import { StrategyMarks, StrategyReferences } from './StrategyProperties';

interface Props {
  toggle: Toggle;
  /** Reason why the toggle cannot be changed, whatever permissions the user has. */
  lockedReason: string | undefined;
}

export function Activation({ toggle, lockedReason }: Props) {
  const permissionReason = usePermission('UPDATE_FEATURE_STRATEGY');
  const readOnlyReason = lockedReason ?? permissionReason;
  // The editor stays once it was used, so that an outage does not discard unsaved edits.
  const [wasUsed, setWasUsed] = useState(false);
  return readOnlyReason === undefined || wasUsed ? (
    <EditCapture onEdit={() => setWasUsed(true)}>
      <ActivationEditor toggle={toggle} blockedReason={readOnlyReason} />
    </EditCapture>
  ) : (
    <ActivationView toggle={toggle} reason={readOnlyReason} />
  );
}

function ActivationView({ toggle, reason }: { toggle: NewerToggle; reason: string }) {
  const definitions = useAnnouncedRead(strategies).data?.strategies;
  const isArchived = reason === ARCHIVED_REASON;
  const versions = { saved: toggle, edited: toggle };
  const lab = useLab(versions, { isAvailable: !isArchived });
  const impact = useEstimate(toggle)({ before: toggle, after: toggle });
  return (
    <ResultsContext value={lab}>
      <ActivationLayout
        toggle={toggle}
        impact={isArchived ? undefined : <ImpactCard before={toggle} after={toggle} impact={impact} />}
        lint={lintToggle(toggle, definitions)}
        lab={isArchived ? undefined : <LabCard lab={lab} versions={versions} />}
      >
        <RuleList
          toggle={toggle}
          definitions={definitions}
          rest={!isArchived && <RestRow toggle={toggle} impact={impact} />}
        />
      </ActivationLayout>
    </ResultsContext>
  );
}

interface RuleListProps {
  toggle: NewerToggle;
  /** Undefined while loading. */
  definitions: readonly StrategyDefinition[] | undefined;
  /** The row below the strategies. */
  rest?: ReactNode;
}

/** The strategies of a toggle as rows of one card, which cannot be edited. */
export function RuleList({ toggle, definitions, rest }: RuleListProps) {
  const keys = getReadOnlyKeys(toggle.strategies);
  return (
    <div className="min-w-0 rounded-card border border-line bg-surface shadow-card">
      {toggle.strategies.length === 0 && <NoStrategies />}
      {toggle.strategies.map((strategy, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: strategies have no name of their own, and nothing here moves.
        <div key={index} className="relative border-line not-first:border-t">
          {index > 0 && <OrDivider />}
          <RuleRow
            strategy={strategy}
            strategyKey={keys[index] ?? ''}
            number={index + 1}
            toggleName={toggle.name}
            definitions={definitions}
          />
        </div>
      ))}
      {rest}
    </div>
  );
}

interface RuleRowProps {
  strategy: Strategy;
  strategyKey: string;
  number: number;
  toggleName: string;
  /** Undefined while loading. */
  definitions: readonly StrategyDefinition[] | undefined;
}

/** A strategy as a sentence, with the parameters that the sentence shortens or omits. */
function RuleRow({ strategy, strategyKey, number, toggleName, definitions }: RuleRowProps) {
  const definition = definitions?.find(({ name }) => name === strategy.name);
  const parameters = getOmittedParameters(strategy, { toggleName });
  const typeOf = (name: string) => definition?.parameters.find((parameter) => parameter.name === name)?.type;
  return (
    <article aria-label={strategy.name} className={cx(ruleRowClass, plainEdgeClass)}>
      <span
        aria-hidden="true"
        className="mt-1 grid size-5 place-items-center rounded-full bg-sunken font-semibold text-label text-muted"
      >
        {number}
      </span>
      <div className="col-start-2 col-end-4 min-w-0">
        <RuleSentence strategy={strategy} toggleName={toggleName} segmentName={useSegmentName([strategy])} />
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-secondary empty:hidden *:mt-1">
          <StrategyMarks strategy={strategy} />
          {definition?.deprecated && <Chip tone="warn">Deprecated</Chip>}
        </p>
        {(strategy.constraints ?? []).map((constraint, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: constraints have no name, may be alike, and never move.
          <MissingValues key={index} constraint={constraint} />
        ))}
      </div>
      <header className="col-start-2 col-end-4">
        <RuleDetails strategy={strategy} toggleName={toggleName}>
          <StrategyName name={strategy.name} definition={definition} />
        </RuleDetails>
      </header>
      <StrategyVerdict strategyKey={strategyKey} name={strategy.name} />
      <div className="col-start-2 col-end-4 grid min-w-0 gap-2 text-secondary empty:hidden">
        {definitions && !definition && <UndefinedStrategyNote name={strategy.name} />}
        {parameters.length > 0 && (
          <dl className="flex flex-wrap gap-x-4 gap-y-1 text-muted">
            {parameters.map(([name, value]) => (
              <div key={name} className="flex min-w-0 flex-wrap gap-x-1.5">
                <dt>{getParameterLabel(name)}</dt>
                <dd className="wrap-anywhere min-w-0 text-text">
                  <Value type={typeOf(name)} value={value} />
                </dd>
              </div>
            ))}
          </dl>
        )}
        <StrategyReferences strategy={strategy} />
      </div>
    </article>
  );
}

function MissingValues({ constraint }: { constraint: Constraint }) {
  const warning = describeMissingValues(constraint);
  return warning && <p className="mt-1 text-secondary text-warn">{warning}</p>;
}

function Value({ type, value }: { type: string | undefined; value: string }) {
  if (value === '') return <span className="text-faint">not set</span>;
  if (type === 'percentage') return withPercentSign(value);
  if (type === 'list') return <Values values={splitList(value)} />;
  if (type === 'boolean') return value === 'true' ? 'yes' : 'no';
  return value;
}

function Values({ values }: { values: readonly string[] }) {
  const { shown, showMore } = useShowMore(values);
  return (
    <span className="flex flex-wrap gap-1.5">
      {shown.map((value) => (
        <Chip key={value}>{value}</Chip>
      ))}
      {showMore}
    </span>
  );
}
