import type { Diff } from '@/api/generated/types';
import { formatPath, toSides } from '@/domain/changes/diffSides';
import { cx } from '@/lib/cx';
import { VisuallyHidden } from '@/ui/VisuallyHidden';

interface Props {
  diffs: readonly Diff[];
}

/** Lists changed properties with their old and new values. */
export function DiffList({ diffs }: Props) {
  if (diffs.length === 0) return <p className="text-muted">No changes</p>;
  return (
    <ul className="grid gap-2">
      {diffs.map((diff, index) => {
        const { path, before, after } = toSides(diff);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is static and may contain equal entries.
          <li key={index} className="min-w-0">
            <p className="font-semibold text-label text-muted wrap-anywhere">{formatPath(path)}</p>
            {before && <DiffValue sign="−" label="before" value={before.value} className="text-danger" />}
            {after && <DiffValue sign="+" label="after" value={after.value} className="text-on" />}
          </li>
        );
      })}
    </ul>
  );
}

interface DiffValueProps {
  sign: string;
  label: string;
  value: unknown;
  className: string;
}

function DiffValue({ sign, label, value, className }: DiffValueProps) {
  return (
    <p className={cx('flex gap-2 font-mono text-label', className)}>
      <span aria-hidden="true">{sign}</span>
      <VisuallyHidden>{label}: </VisuallyHidden>
      <code className="wrap-anywhere min-w-0 whitespace-pre-wrap">{formatDiffValue(value)}</code>
    </p>
  );
}

function formatDiffValue(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value, null, 2);
}
