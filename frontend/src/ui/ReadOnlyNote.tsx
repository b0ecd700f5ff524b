import { ReadOnlyIcon } from './icons';

/** Shown above a read-only editor, with the reason. */
export function ReadOnlyNote({ reason }: { reason: string }) {
  return (
    <p className="flex items-center gap-2 text-muted text-secondary">
      <ReadOnlyIcon size={14} className="shrink-0" />
      <span>Read-only. {reason}</span>
    </p>
  );
}
