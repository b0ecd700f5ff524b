import { Lock } from 'lucide-react';

/** Shown above a read-only editor, with the reason. */
export function ReadOnlyNote({ reason }: { reason: string }) {
  return (
    <p className="flex items-center gap-2 text-muted text-secondary">
      <Lock size={14} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      <span>Read-only. {reason}</span>
    </p>
  );
}
