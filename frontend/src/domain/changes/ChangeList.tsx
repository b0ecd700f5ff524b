import type { ChangeGroup } from './describeChanges';

/** Lists changes in words, by the changed part. */
export function ChangeList({ changes }: { changes: readonly ChangeGroup[] }) {
  return (
    <ul className="grid gap-2">
      {changes.map(({ subject, changes: words }) => (
        <li key={subject} className="wrap-anywhere min-w-0 text-secondary">
          <span className="font-semibold">{subject}</span>
          {words.map((line) => (
            <span key={line} className="block text-muted">
              {line}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}
