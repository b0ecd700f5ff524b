import type { ReactNode } from 'react';
import type { Toggle } from '@/api/generated/types';
import type { ChangeGroup } from '@/lib/describeChanges';
import { formatNumber } from '@/lib/format';
import { jsonDiff } from '@/lib/jsonDiff';
import { useLocale } from '@/lib/locale';
import { Button } from '@/ui/Button';
import { ChangeList } from '@/ui/ChangeList';
import { Dialog } from '@/ui/Dialog';
import { DiffList } from '@/ui/DiffList';
import { useUsage } from '../useToggle';

interface Props {
  open: boolean;
  before: Toggle;
  after: Toggle;
  changes: readonly ChangeGroup[];
  onSave: () => void;
  onClose: () => void;
}

/** What will be saved and whom it touches, before it is. */
export function ReviewDialog({ open, before, after, changes, onSave, onClose }: Props) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Review"
      actions={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          <Button variant="unsaved" onClick={onSave}>
            Save
          </Button>
        </>
      }
    >
      <Part title="What will change">
        <ChangeList changes={changes} />
      </Part>
      <Part title="What it touches">
        <Touched name={after.name} />
      </Part>
      <details className="min-w-0">
        <summary className="font-semibold text-secondary">As JSON</summary>
        <div className="mt-2 max-h-80 overflow-y-auto rounded-control bg-sunken p-3">
          <DiffList diffs={jsonDiff(before, after)} />
        </div>
      </details>
    </Dialog>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="mb-1.5 font-semibold text-secondary">{title}</h3>
      {children}
    </section>
  );
}

/** Undefined: not known, which is not the same as nobody. */
function usedBy(apps: string | undefined): string {
  if (apps === undefined) return 'Which applications use it is not known.';
  return apps ? `Used by ${apps}.` : 'No application has asked for it in the last hour.';
}

function Touched({ name }: { name: string }) {
  const locale = useLocale();
  const { lastHour, apps } = useUsage(name);
  const seen = apps?.map(({ appName }) => appName).join(', ');
  return (
    <div className="grid gap-1 text-muted text-secondary">
      <p className="wrap-anywhere">{usedBy(seen)}</p>
      <p className="tabular-nums">
        {lastHour
          ? `In the last hour ${formatNumber(lastHour.yes, locale)} × yes and ${formatNumber(lastHour.no, locale)} × no.`
          : 'No metrics available'}
      </p>
    </div>
  );
}
