/** Indeterminate progress bar. */
export function Progress({ label }: { label: string }) {
  return (
    <div role="progressbar" aria-label={label} className="h-1 overflow-hidden rounded-full bg-line">
      <div className="h-full w-2/5 animate-progress rounded-full bg-accent" />
    </div>
  );
}
