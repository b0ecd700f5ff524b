import { Fragment, type ReactNode, useState } from 'react';
import { strategies } from '@/api/endpoints';
import type { Strategy, StrategyDefinition, Toggle } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import type { NewerToggle } from '@/api/newerTypes';
import { usePermission } from '@/api/permissions';
import { describeStrategy, getParameterLabel } from '@/domain/strategies/describeStrategy';
import { splitList } from '@/lib/text';
import { Chip } from '@/ui/Chip';
import { EditCapture } from '@/ui/EditCapture';
import { LabCard } from '../lab/LabCard';
import { LabResults, LabStrategy } from '../lab/LabResults';
import { StrategyVerdict } from '../lab/StrategyVerdict';
import { useLab } from '../lab/useLab';
import { ARCHIVED_REASON } from '../page/lockedReasons';
import { ActivationEditor } from './ActivationEditor';
import { ActivationLayout } from './ActivationLayout';
import { ConstraintList } from './ConstraintList';
import { ImpactCard } from './Impact';
import { lintToggle } from './lintToggle';
import { NoStrategies } from './NoStrategies';
import { OrDivider } from './OrDivider';
import { StrategyName, UndefinedStrategyNote } from './StrategyName';
import { StrategyMarks, StrategyReferences } from './StrategyProperties';
import { strategyIcon } from './strategyIcons';

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
  const definitions = useRead(strategies).data?.strategies;
  const isArchived = reason === ARCHIVED_REASON;
  const versions = { saved: toggle, edited: toggle };
  const lab = useLab(versions, !isArchived);
  return (
    <LabResults lab={lab}>
      <ActivationLayout
        toggle={toggle}
        impact={isArchived ? undefined : <ImpactCard before={toggle} after={toggle} />}
        lint={lintToggle(toggle, definitions)}
        lab={isArchived ? undefined : <LabCard lab={lab} versions={versions} />}
      >
        {toggle.strategies.length === 0 && <NoStrategies />}
        {toggle.strategies.map((strategy, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: strategies have no name of their own, and nothing here moves.
          <Fragment key={index}>
            {index > 0 && <OrDivider />}
            <LabStrategy saved={index}>
              <StrategyCard strategy={strategy} definitions={definitions} segmentNames={toggle.segmentNames} />
            </LabStrategy>
          </Fragment>
        ))}
      </ActivationLayout>
    </LabResults>
  );
}

interface StrategyCardProps {
  strategy: Strategy;
  /** Undefined while loading. */
  definitions: readonly StrategyDefinition[] | undefined;
  /** Names of segments by id, on newer servers. */
  segmentNames: NewerToggle['segmentNames'];
}

function StrategyCard({ strategy, definitions, segmentNames }: StrategyCardProps) {
  const Icon = strategyIcon(strategy.name);
  const definition = definitions?.find(({ name }) => name === strategy.name);
  const parameters = Object.entries(strategy.parameters ?? {});
  const constraints = strategy.constraints ?? [];
  const typeOf = (name: string) => definition?.parameters.find((parameter) => parameter.name === name)?.type;
  return (
    <article aria-label={strategy.name} className="rounded-card border border-line bg-surface shadow-card">
      <header className="flex flex-wrap items-center gap-x-2.5 px-4 py-3">
        <Icon size={17} />
        <StrategyName name={strategy.name} definition={definition} />
        <StrategyMarks strategy={strategy} />
        <p className="text-muted text-secondary">{describeStrategy(strategy) || definition?.description}</p>
      </header>
      <StrategyVerdict name={strategy.name} />
      {definitions && !definition && (
        <div className="px-4 pb-3">
          <UndefinedStrategyNote name={strategy.name} />
        </div>
      )}
      {(parameters.length > 0 || constraints.length > 0) && (
        <dl className="grid gap-x-6 gap-y-3 border-line border-t px-4 py-3 sm:grid-cols-[160px_minmax(0,1fr)]">
          {parameters.map(([name, value]) => (
            <Row key={name} term={getParameterLabel(name)}>
              <Value type={typeOf(name)} value={value} />
            </Row>
          ))}
          {constraints.length > 0 && (
            <Row term="Constraints">
              <ConstraintList constraints={constraints} />
            </Row>
          )}
        </dl>
      )}
      <div className="border-line border-t px-4 py-3 empty:hidden">
        <StrategyReferences strategy={strategy} segmentNames={segmentNames} />
      </div>
    </article>
  );
}

function Row({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-muted text-secondary max-sm:-mb-2">{term}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}

function Value({ type, value }: { type: string | undefined; value: string }) {
  if (value === '') return <span className="text-faint">not set</span>;
  if (type === 'percentage') return <Share percent={value} />;
  if (type === 'list') return <Values values={splitList(value)} />;
  if (type === 'boolean') return value === 'true' ? 'yes' : 'no';
  return value;
}

function Share({ percent }: { percent: string }) {
  return (
    <span className="flex items-center gap-3">
      <span className="h-1.5 flex-1 overflow-hidden rounded-full bg-line">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${Number(percent) || 0}%` }} />
      </span>
      <span className="tabular-nums">{percent} %</span>
    </span>
  );
}

function Values({ values }: { values: readonly string[] }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      {values.map((value) => (
        <Chip key={value}>{value}</Chip>
      ))}
    </span>
  );
}
