import { cx } from '@/lib/cx';

/** Mark between two strategies, one of which must match: on the line between their numbers, or a line of its own. */
export function OrDivider({ isBlock = false }: { isBlock?: boolean }) {
  return (
    <p
      className={cx(
        'flex items-center',
        !isBlock && 'pointer-events-none absolute top-0 left-[25px] z-1 -translate-1/2',
      )}
    >
      <span className="rounded-full border border-line bg-surface px-1.5 font-semibold text-[11px] text-faint leading-4">
        OR
      </span>
    </p>
  );
}
