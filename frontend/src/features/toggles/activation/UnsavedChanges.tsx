// What happens to unsaved changes of strategies: they are listed, reviewed, saved, discarded or left.
import { type ReactNode, useState } from 'react';
import type { StrategyDefinition, Toggle } from '@/api/generated/types';
import type { ChangeGroup } from '@/domain/changes/describeChanges';
import { jsonDiff } from '@/domain/changes/jsonDiff';
import { getStrategyLabel } from '@/domain/strategies/describeStrategy';
import { toJson } from '@/lib/copyFormats';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { useLeaveGuard } from '@/lib/useLeaveGuard';
import { copyAndNotify } from '@/shared/copyAndNotify';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Dialog } from '@/ui/Dialog';
import { JsonIcon } from '@/ui/icons';
import { UnsavedBar } from '@/ui/UnsavedBar';
import { describeEffect } from '../lab/describeEffect';
import type { ToggleVersions } from '../lab/useLab';
import { usePopulation } from '../lab/usePopulation';
import { useUsage } from '../page/useToggle';
import { ChangeList, DiffList } from '../saving/DiffList';
import { validateStrategy } from '../saving/rules';
import { ImpactEstimate } from './Impact';
import type { useActivation } from './useActivation';

interface Props {
  activation: ReturnType<typeof useActivation>;
  definitions: readonly StrategyDefinition[] | undefined;
  before: Toggle;
  after: Toggle;
  versions: ToggleVersions;
  changes: readonly ChangeGroup[];
  /** Reason why nothing can be saved now. */
  blockedReason: string | undefined;
}

/** The bar that saves, reviews and discards all unsaved changes, and the question before they are left. */
export function UnsavedChanges({ activation, definitions, blockedReason, ...reviewed }: Props) {
  const { dirty, saving } = activation;
  const [isReviewing, setReviewing] = useState(false);
  const saveDisabledReason = blockedReason ?? findInvalidStrategy(activation, definitions);
  const save = () => activation.save(dirty);
  useLeaveGuard(dirty.length > 0, { save, saveDisabledReason });
  return (
    <>
      <UnsavedBar
        count={dirty.length}
        saving={saving}
        saveDisabledReason={saveDisabledReason}
        onClear={() => activation.discard(dirty)}
        onReview={() => setReviewing(true)}
        onSave={() => void save()}
      >
        {blockedReason !== undefined && (
          <Button
            variant="ghost"
            size="small"
            icon={<JsonIcon size={15} />}
            onClick={() => void copyAndNotify(toJson(reviewed.after))}
          >
            Copy as JSON
          </Button>
        )}
      </UnsavedBar>
      <ReviewDialog
        {...reviewed}
        open={isReviewing}
        saveDisabledReason={saveDisabledReason}
        onSave={() => {
          setReviewing(false);
          void save();
        }}
        onClose={() => setReviewing(false)}
      />
    </>
  );
}

/** Returns the first reason why an edited strategy cannot be saved. */
function findInvalidStrategy(
  { drafts, dirty }: Props['activation'],
  definitions: readonly StrategyDefinition[] = [],
): string | undefined {
  const strategies = drafts.map(({ now }) => now);
  for (const [index, { key, now, base, removed }] of drafts.entries()) {
    const error = dirty.includes(key) && !removed ? validateStrategy(now, definitions, base) : undefined;
    if (error !== undefined) return `${getStrategyLabel(strategies, index)}: ${error}`;
  }
  return undefined;
}

/** Card with the unsaved changes of the activation. */
export function PendingChangesCard({ changes }: { changes: readonly ChangeGroup[] }) {
  if (changes.length === 0) return null;
  return (
    <section aria-labelledby="changes-heading">
      <Card>
        <h2 id="changes-heading" className="mb-3 font-semibold text-secondary">
          Pending changes
        </h2>
        <ChangeList changes={changes} />
      </Card>
    </section>
  );
}

interface ReviewProps {
  open: boolean;
  before: Toggle;
  after: Toggle;
  versions: ToggleVersions;
  changes: readonly ChangeGroup[];
  saveDisabledReason: string | undefined;
  onSave: () => void;
  onClose: () => void;
}

/** Dialog that shows unsaved changes and their impact before saving. */
function ReviewDialog(props: ReviewProps) {
  const { open, before, after, versions, changes, saveDisabledReason, onSave, onClose } = props;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Review changes"
      actions={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          <Button variant="unsaved" disabledReason={saveDisabledReason} onClick={onSave}>
            Save all
          </Button>
        </>
      }
    >
      <Section title="Changes">
        <ChangeList changes={changes} />
      </Section>
      <Section title="Impact">
        <ImpactEstimate before={before} after={after} />
        <CurrentUsage name={after.name} />
        <ReviewedPopulation versions={versions} />
      </Section>
      <details className="min-w-0">
        <summary className="font-semibold text-secondary">JSON diff</summary>
        <div className="mt-2 max-h-80 overflow-y-auto rounded-control bg-sunken p-3">
          <DiffList diffs={jsonDiff(before, after)} />
        </div>
      </details>
    </Dialog>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="mb-1.5 font-semibold text-secondary">{title}</h3>
      {children}
    </section>
  );
}

/** Describes which applications use the toggle; undefined means unknown. */
function describeApplications(apps: string | undefined): string {
  if (apps === undefined) return 'The applications that use it are unknown.';
  return apps ? `Used by ${apps}.` : 'Not used by any application in the last hour.';
}

function CurrentUsage({ name }: { name: string }) {
  const locale = useLocale();
  const { lastHour, apps } = useUsage(name);
  const seen = apps?.map(({ appName }) => appName).join(', ');
  return (
    <div className="mt-1 grid gap-1 text-muted text-secondary">
      <p className="wrap-anywhere">{describeApplications(seen)}</p>
      <p className="tabular-nums">
        {lastHour
          ? `Last hour: ${formatNumber(lastHour.yes, locale)} yes, ${formatNumber(lastHour.no, locale)} no`
          : 'No metrics available'}
      </p>
    </div>
  );
}

/** Effect of the reviewed changes on the last population. */
function ReviewedPopulation({ versions }: { versions: ToggleVersions }) {
  const { population, result, error, problem, isRunning } = usePopulation(versions);
  const locale = useLocale();
  const total = population?.contexts.length ?? 0;
  return (
    <div role="status" aria-busy={isRunning} className="mt-1 grid gap-1 text-secondary">
      {!population && (
        <p className="text-muted">No population. Add one under “Try it” to see for whom the result changes.</p>
      )}
      {result && <p>{result.change ? describeEffect(result.change, total, locale) : UNCHANGED}</p>}
      {error && <p className="text-danger">{error.message}</p>}
      {problem && <p className="text-warn">{problem}</p>}
    </div>
  );
}

const UNCHANGED = 'This edit changes no result.';
