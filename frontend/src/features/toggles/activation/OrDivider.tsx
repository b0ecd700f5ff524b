/** Divider between two strategies, one of which must match. */
export function OrDivider() {
  return (
    <div className="flex items-center gap-3 text-label font-semibold text-faint">
      <span className="h-px flex-1 bg-line" />
      OR
      <span className="h-px flex-1 bg-line" />
    </div>
  );
}
