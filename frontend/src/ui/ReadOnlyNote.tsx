import { ReadOnlyIcon } from './icons';

/** Shown once above read-only content, with the reason. Tooltips do not repeat it: see `ReasonTooltip`. */
export function ReadOnlyNote({ reason }: { reason: string }) {
  return (
    <p className="flex items-center gap-2 text-muted text-secondary">
      <ReadOnlyIcon size={14} className="shrink-0" />
      <span data-reason-note="">{reason}</span>
    </p>
  );
}
