import type { ReactNode } from 'react';

export function Card({ children }: { children: ReactNode }) {
  return <div className="rounded-card border border-line bg-surface p-4 shadow-card">{children}</div>;
}
