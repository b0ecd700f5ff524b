import type { ReactNode } from 'react';
import { Card } from '@/ui/Card';

interface Props {
  title: string;
  count: number;
  /** Text for an empty section. */
  empty: string;
  children: ReactNode;
}

export function Section({ title, count, empty, children }: Props) {
  return (
    <section aria-label={title} className="min-w-0">
      <Card>
        <h2 className="mb-3 flex items-baseline gap-2 font-semibold">
          {title} <span className="font-normal text-faint tabular-nums">{count}</span>
        </h2>
        {count === 0 ? <p className="text-muted">{empty}</p> : children}
      </Card>
    </section>
  );
}
