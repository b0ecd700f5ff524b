import type { ReactNode } from 'react';
import type { Toggle } from '@/api/generated/types';
import { UsageCard } from '../metrics/UsageCard';
import { LintCard } from './LintCard';
import { StrategiesHeading } from './StrategiesHeading';

interface Props {
  toggle: Toggle;
  lint: readonly string[];
  actions?: ReactNode;
  /** First item of the side column. */
  aside?: ReactNode;
  children: ReactNode;
}

export function ActivationLayout({ toggle, lint, actions, aside, children }: Props) {
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_300px]">
      <section aria-labelledby="activation-heading" className="grid min-w-0 content-start gap-3">
        <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <StrategiesHeading id="activation-heading" />
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
        {children}
      </section>
      <div className="grid min-w-0 content-start gap-4">
        {aside}
        <UsageCard toggle={toggle} />
        <LintCard notes={lint} />
      </div>
    </div>
  );
}
