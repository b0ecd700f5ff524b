import { Lock } from 'lucide-react';

/** Above an editor that the user cannot use: says so, with the reason. */
export function ReadOnlyNote({ reason }: { reason: string }) {
  return (
    <p className="flex items-center gap-2 text-muted text-secondary">
      <Lock size={14} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      <span>Read-only. {reason}</span>
    </p>
  );
}
