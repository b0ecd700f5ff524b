import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}

/** Placeholder for empty content: what is missing, why, and the next step. */
export function EmptyState({ icon, title, children, actions }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-14 text-center">
      {icon && (
        <span className="flex size-11 items-center justify-center rounded-full bg-accent-soft text-accent">{icon}</span>
      )}
      <h2 className="font-semibold text-section">{title}</h2>
      {children && <div className="max-w-[52ch] text-muted">{children}</div>}
      {actions && <div className="mt-2 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
