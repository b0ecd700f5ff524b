import type { ReactNode } from 'react';
import { Card } from '@/ui/Card';

/** Card of the metrics tab with a heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Card>
        <h2 className="mb-3 font-semibold">{title}</h2>
        {children}
      </Card>
    </section>
  );
}
