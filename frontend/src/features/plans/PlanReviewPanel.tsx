// The review of a plan, and its progress while it is applied.
import { useState } from 'react';
import { featureEvents, strategies, tagTypes } from '@/api/endpoints';
import { useSelectedEnvironment } from '@/api/environment';
import type { ReviewedChange, StrategyDefinition, Toggle } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { usePermissions } from '@/api/permissions';
import { ChangeList } from '@/domain/changes/ChangeList';
import { AudienceChange } from '@/domain/impact/AudienceChange';
import { EffectChip } from '@/domain/impact/EffectChip';
import { useEstimate } from '@/domain/impact/ImpactEstimate';
import { useSegmentName } from '@/domain/strategies/useSegmentName';
import { useEnvironmentName } from '@/domain/toggles/confirmSwitch';
import { UseText } from '@/domain/toggles/ToggleUses';
import { useToggleUses } from '@/domain/toggles/toggleUse';
import { toJson } from '@/lib/copyFormats';
import { useLocale } from '@/lib/locale';
import { saveFile } from '@/lib/saveFile';
import { capitalise } from '@/lib/text';
import { paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Checkbox } from '@/ui/Checkbox';
import { Chip } from '@/ui/Chip';
import { EmptyState } from '@/ui/EmptyState';
import { CheckIcon, DownloadIcon } from '@/ui/icons';
import { Time } from '@/ui/Time';
import { useConfirm } from '@/ui/useConfirm';
import { useIncrementalRows } from '@/ui/useIncrementalRows';
import { ArchiveQuestion } from './ArchiveQuestion';
import {
  ACTIONS,
  countChanges,
  describeChange,
  describeProgress,
  describeSummary,
  findMissingTypes,
} from './describePlan';
import { countWarnings, FileProblems } from './FileProblems';
import { type ChangeResult, type OpenPlan, updatePlan } from './planState';
import { useApplyPlan } from './useApplyPlan';

interface Props {
  plan: OpenPlan;
  onClose: () => void;
}

export function PlanReviewPanel({ plan, onClose }: Props) {
  const { review } = plan.reviewed;
  const definitions = useRead(strategies).data?.strategies;
  const { rendered, placeholder } = useIncrementalRows(review.changes);
  if (review.changes.length === 0) {
    return (
      <Card>
        <EmptyState
          icon={<CheckIcon size={20} />}
          title="Nothing to do"
          actions={<Button onClick={onClose}>Review other files</Button>}
        >
          All toggles are as in the files.
        </EmptyState>
      </Card>
    );
  }
  return (
    <div className="grid gap-4">
      <Summary plan={plan} onClose={onClose} />
      <div>
        <ul
          aria-label="Changes"
          className="divide-y divide-line rounded-card border border-line bg-surface shadow-card"
        >
          {rendered.map((change) => (
            <Change
              key={change.name}
              change={change}
              definitions={definitions}
              result={plan.results.get(change.name)}
            />
          ))}
        </ul>
        {placeholder}
      </div>
    </div>
  );
}

/** What the plan changes and where, and the buttons that apply it. */
function Summary({ plan, onClose }: Props) {
  const { reviewed, environment, phase, problem, results } = plan;
  const { review } = reviewed;
  const here = useEnvironmentName();
  const isElsewhere = useSelectedEnvironment() !== environment;
  const apply = useApplyPlan();
  const [isPartial, setPartial] = useState(false);
  const ready = review.changes.filter(({ status }) => status === 'ready');
  const outdated = review.changes.filter(({ status }) => status === 'outdated').length;
  const isApplying = phase !== 'review';
  const archived = ready.filter(({ action }) => action === 'archive').map(({ before }) => before);
  const { ask, dialog } = useConfirm<readonly Toggle[]>((toggles) => ({
    title: `Archive ${toggles.length} ${toggles.length === 1 ? 'toggle' : 'toggles'}`,
    body: <ArchiveQuestion toggles={toggles} />,
    confirmLabel: `Apply ${countChanges(ready.length)}`,
    tone: 'danger',
    action: async () => undefined,
  }));
  const start = async () => {
    if (archived.length > 0 && (await ask(archived)) !== true) return;
    await apply(plan, isPartial);
  };
  const missingTypes = useMissingTypes(ready);
  const progress = describeProgress(review, results);
  const disabledReason =
    usePlanPermission(ready, missingTypes) ??
    (isElsewhere ? 'The plan was reviewed for another environment. Review it again.' : undefined) ??
    (ready.length === 0 ? 'There is nothing left to apply.' : undefined) ??
    (outdated > 0 && !isPartial
      ? 'Toggles have changed since the plan was made. Make a new plan, or apply only the others.'
      : undefined);
  return (
    <Card>
      <div className="grid gap-3">
        <div className="wrap-anywhere">
          <p className="font-semibold">{describeSummary(review.changes)}</p>
          {review.target !== here && <p className="text-muted text-secondary">Applying it changes {here}.</p>}
          {missingTypes.length > 0 && (
            <p className="text-muted text-secondary">
              Applying it also creates the tag {missingTypes.length === 1 ? 'type' : 'types'} {missingTypes.join(', ')}.
            </p>
          )}
        </div>
        {review.warnings.length > 0 && (
          <FileProblems title={countWarnings(review.warnings.length)} problems={review.warnings} />
        )}
        {outdated > 0 && !isApplying && ready.length > 0 && (
          <Checkbox
            label={`Apply only the other ${countChanges(ready.length)}`}
            help={
              outdated === 1
                ? '1 toggle has changed since the plan was made. It stays as it is.'
                : `${outdated} toggles have changed since the plan was made. They stay as they are.`
            }
            checked={isPartial}
            onChange={setPartial}
          />
        )}
        <div className="flex flex-wrap items-center gap-2.5">
          <Button
            variant="primary"
            busy={isApplying}
            disabledReason={isApplying ? undefined : disabledReason}
            onClick={() => void start()}
          >
            {ready.length === 0 ? 'Apply' : `Apply ${countChanges(ready.length)}`}
          </Button>
          {isApplying && (
            <Button busy={phase === 'stopping'} onClick={() => updatePlan({ phase: 'stopping' })}>
              Stop
            </Button>
          )}
          {!isApplying && (
            <Button
              icon={<DownloadIcon size={17} />}
              onClick={() => saveFile('plan.json', 'application/json', `${toJson(review.plan)}\n`)}
            >
              Download plan
            </Button>
          )}
          {!isApplying && <Button onClick={onClose}>Close</Button>}
        </div>
        <div role="status" className="grid gap-1 text-secondary empty:hidden">
          {progress && <p className="tabular-nums">{progress}.</p>}
          {isApplying && results.size === 0 && <p>Comparing with the toggles…</p>}
          {problem && <p className="wrap-anywhere text-danger">{problem}</p>}
        </div>
      </div>
      {dialog}
    </Card>
  );
}

/** Returns the tag types that the changes need and the server does not have; none until they are known. */
function useMissingTypes(changes: readonly ReviewedChange[]): string[] {
  const isNeeded = changes.some(({ tags }) => tags && tags.length > 0);
  const types = useRead(isNeeded ? tagTypes : null).data?.tagTypes;
  return types ? findMissingTypes(changes, types) : [];
}

/** Returns the reason why the user cannot apply the changes. The server also checks each request. */
function usePlanPermission(changes: readonly ReviewedChange[], missingTypes: readonly string[]): string | undefined {
  const reasonFor = usePermissions();
  const has = (wanted: ReviewedChange['action']) => changes.some(({ action }) => action === wanted);
  return (
    reasonFor('UPDATE_FEATURE') ??
    (has('create') ? reasonFor('CREATE_FEATURE') : undefined) ??
    (has('archive') ? reasonFor('DELETE_FEATURE') : undefined) ??
    (missingTypes.length > 0 ? reasonFor('CREATE_TAG_TYPE') : undefined)
  );
}

interface ChangeProps {
  change: ReviewedChange;
  definitions: readonly StrategyDefinition[] | undefined;
  result: ChangeResult | undefined;
}

function Change({ change, definitions, result }: ChangeProps) {
  const { name, action, status, effect, outdatedEffect, before, after } = change;
  const locale = useLocale();
  const segmentName = useSegmentName([...before.strategies, ...after.strategies]);
  const words = describeChange(change, { definitions, locale, segmentName });
  return (
    <li aria-label={name} className="grid min-w-0 gap-2 p-4 max-sm:p-3.5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <span className="text-muted text-secondary">{ACTIONS[action]}</span>
        {['change', 'archive'].includes(action) || result === 'applied' ? (
          <TextLink to={paths.toggle(name)} className="wrap-anywhere min-w-0 font-semibold">
            {name}
          </TextLink>
        ) : (
          <span className="wrap-anywhere min-w-0 font-semibold">{name}</span>
        )}
        <EffectChip effect={effect} />
        <Status status={status} result={result} />
      </div>
      {typeof result === 'object' && <p className="wrap-anywhere text-danger text-secondary">{result.failure}</p>}
      {status === 'outdated' && result === undefined && <Outdated name={name} effect={outdatedEffect} />}
      {words.length > 0 && <ChangeList changes={words} />}
      {action === 'archive' && status === 'ready' && result === undefined && <ArchivedUse toggle={before} />}
      {action === 'change' && (before.enabled || after.enabled) && <EstimatedChange change={change} />}
    </li>
  );
}

function Status({ status, result }: { status: ReviewedChange['status']; result: ChangeResult | undefined }) {
  if (result === 'applying') return <Chip>Applying…</Chip>;
  if (typeof result === 'object') return <Chip tone="danger">Failed</Chip>;
  if (result === 'applied') return <Chip tone="on">Applied</Chip>;
  if (status === 'applied') return <Chip tone="on">Already as planned</Chip>;
  return status === 'outdated' ? <Chip tone="danger">Changed since</Chip> : null;
}

/** The reason why a change cannot be applied: another item of its effect has changed, or the toggle, with the author of its newest event. */
function Outdated({ name, effect }: { name: string; effect: string | null }) {
  const { data } = useRead(effect === null ? featureEvents(name) : null);
  if (effect !== null) return <p className="wrap-anywhere text-danger text-secondary">{capitalise(effect)}.</p>;
  const [newest] = data?.events ?? [];
  return (
    <p className="wrap-anywhere text-danger text-secondary">
      It has changed since the plan was made
      {newest && (
        <>
          , last by {newest.createdBy}, <Time value={newest.createdAt} />
        </>
      )}
      .
    </p>
  );
}

/** State, calls and last use of a toggle that is archived. */
function ArchivedUse({ toggle }: { toggle: Toggle }) {
  const { uses, unknownReason } = useToggleUses([toggle]);
  return uses.map((use) => (
    <p key={toggle.name} className="text-muted">
      <UseText use={use} />
      {use.state === 'unknown' && <span className="text-secondary"> · {unknownReason}</span>}
    </p>
  ));
}

function EstimatedChange({ change: { effect, before, after } }: { change: ReviewedChange }) {
  const impact = useEstimate(before)({ before, after });
  return <AudienceChange effect={effect} before={before} after={after} impact={impact} />;
}
