import type { Diff, PathStep } from '@/api/generated/types';
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
            {before && <Side sign="−" label="before" value={before.value} className="text-danger" />}
            {after && <Side sign="+" label="after" value={after.value} className="text-on" />}
          </li>
        );
      })}
    </ul>
  );
}

/** Values are wrapped in objects, because every value is possible, including undefined. */
interface Sides {
  path: readonly PathStep[];
  before?: { value: unknown };
  after?: { value: unknown };
}

function toSides(diff: Diff): Sides {
  switch (diff.kind) {
    case 'N':
      return { path: diff.path, after: { value: diff.rhs } };
    case 'D':
      return { path: diff.path, before: { value: diff.lhs } };
    case 'E':
      return { path: diff.path, before: { value: diff.lhs }, after: { value: diff.rhs } };
    case 'A': {
      const path = [...diff.path, diff.index];
      return diff.item.kind === 'N'
        ? { path, after: { value: diff.item.rhs } }
        : { path, before: { value: diff.item.lhs } };
    }
  }
}

/** Formats a path such as `strategies › 2 › name`, with indexes from 1. */
function formatPath(path: readonly PathStep[]): string {
  return path.map((step) => (typeof step === 'number' ? step + 1 : step)).join(' › ') || 'everything';
}

interface SideProps {
  sign: string;
  label: string;
  value: unknown;
  className: string;
}

function Side({ sign, label, value, className }: SideProps) {
  return (
    <p className={cx('flex gap-2 font-mono text-label', className)}>
      <span aria-hidden="true">{sign}</span>
      <VisuallyHidden>{label}: </VisuallyHidden>
      <code className="wrap-anywhere min-w-0 whitespace-pre-wrap">{formatJson(value)}</code>
    </p>
  );
}

function formatJson(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value, null, 2);
}
