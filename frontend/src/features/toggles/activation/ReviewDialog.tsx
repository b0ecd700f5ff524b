import type { ReactNode } from 'react';
import type { Toggle } from '@/api/generated/types';
import { ChangeList } from '@/domain/changes/ChangeList';
import type { ChangeGroup } from '@/domain/changes/describeChanges';
import { jsonDiff } from '@/domain/changes/jsonDiff';
import { AudienceChange } from '@/domain/impact/AudienceChange';
import { EffectChip } from '@/domain/impact/EffectChip';
import type { Effect } from '@/domain/impact/effect';
import type { Impact } from '@/domain/impact/estimateImpact';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { useUsage } from '../page/useToggle';
import { DiffList } from '../saving/DiffList';

interface Props {
  open: boolean;
  before: Toggle;
  after: Toggle;
  changes: readonly ChangeGroup[];
  effect: Effect;
  impact: Impact;
  saveDisabledReason: string | undefined;
  onSave: () => void;
  onClose: () => void;
}

/** Dialog that shows unsaved changes and their impact before saving. */
export function ReviewDialog(props: Props) {
  const { open, before, after, changes, effect, impact, saveDisabledReason, onSave, onClose } = props;
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
        <p className="mb-1.5">
          <EffectChip effect={effect} />
        </p>
        <AudienceChange effect={effect} before={before} after={after} impact={impact} />
        <CurrentUsage name={after.name} />
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
