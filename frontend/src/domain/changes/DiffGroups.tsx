// Shows the differences of two versions: old and new values side by side, and texts word by word.
import type { Diff } from '@/api/generated/types';
import { cx } from '@/lib/cx';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { toSides } from './diffSides';
import { describePath, describeValue } from './diffWords';
import type { DiffGroup } from './toggleDiffs';
import { type TextPart, wordDiff } from './wordDiff';

export function DiffGroups({ groups }: { groups: readonly DiffGroup[] }) {
  return (
    <ul className="grid gap-3">
      {groups.map(({ subject, status, diffs }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is static and may contain equal subjects.
        <li key={index} className="min-w-0">
          <p className="wrap-anywhere font-semibold text-secondary">
            {subject}
            {status && <span className="font-normal text-muted"> {status}</span>}
          </p>
          <ul className="mt-1 grid gap-1">
            {diffs.map((diff, position) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is static and may contain equal diffs.
              <DiffLine key={position} diff={diff} />
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function DiffLine({ diff }: { diff: Diff }) {
  const { path, before, after } = toSides(diff);
  return (
    <li className="grid min-w-0 gap-x-4 text-secondary sm:grid-cols-[9rem_minmax(0,1fr)]">
      <span className="wrap-anywhere text-muted">{describePath(path)}</span>
      <span className="wrap-anywhere min-w-0 whitespace-pre-wrap">
        {before && after && isText(before.value) && isText(after.value) ? (
          wordDiff(before.value, after.value).map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity.
            <Part key={index} {...part} />
          ))
        ) : (
          <>
            {before && <Part kind="removed" text={describeValue(before.value, path)} />}
            {before && after && <span aria-hidden="true"> → </span>}
            {after && <Part kind="added" text={describeValue(after.value, path)} />}
          </>
        )}
      </span>
    </li>
  );
}

/** Returns whether the value is a text with several words, whose changes are easier to read word by word. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && /\S[\s,]+\S/u.test(value) && !PERCENTAGE.test(value);
}

/** A formatted weight, such as `33,3 %`. */
const PERCENTAGE = /^[\p{Nd}.,]+\s%$/u;

/** Line-through and underline show the change without colour; screen readers get words. */
function Part({ kind, text }: TextPart) {
  if (kind === 'same') return text;
  const Element = kind === 'removed' ? 'del' : 'ins';
  return (
    <Element className={cx('rounded-chip px-0.5', kind === 'removed' ? REMOVED : ADDED)}>
      <VisuallyHidden>{kind === 'removed' ? 'before: ' : 'after: '}</VisuallyHidden>
      {text}
    </Element>
  );
}

const REMOVED = 'bg-danger-soft text-danger line-through decoration-1';
const ADDED = 'bg-on-soft text-on no-underline forced-colors:underline';
