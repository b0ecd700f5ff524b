/** Mark between two strategies, one of which must match: on the line between their numbers. */
export function OrDivider() {
  return (
    <p className="pointer-events-none absolute top-0 left-[25px] z-1 flex -translate-1/2 items-center">
      <span className="rounded-full border border-line bg-surface px-1.5 font-semibold text-[11px] text-faint leading-4">
        OR
      </span>
    </p>
  );
}
