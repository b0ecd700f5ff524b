import type { ReactNode } from 'react';
import type { Toggle } from '@/api/generated/types';
import { UsageCard } from '../metrics/UsageCard';
import { LintCard } from './LintCard';
import type { LintFix, LintNote } from './lintToggle';
import { StrategiesHeading } from './StrategiesHeading';

interface Props {
  toggle: Toggle;
  lint: readonly LintNote[];
  /** Undefined if the strategies cannot be edited. */
  onFix?: ((fix: LintFix) => void) | undefined;
  impact: ReactNode;
  actions?: ReactNode;
  /** Item of the side column, above the usage. */
  aside?: ReactNode;
  children: ReactNode;
}

/** Layout of the activation tab. Impact and warnings come first: on phones, they are above the strategies. */
export function ActivationLayout({ toggle, lint, onFix, impact, actions, aside, children }: Props) {
  return (
    <div className="grid gap-x-6 gap-y-4 lg:grid-cols-[minmax(0,1fr)_300px] lg:grid-rows-[auto_1fr]">
      {/* Warnings appear and disappear while the user types below them: the browser then scrolls, so that the field stays. */}
      <div className="grid min-w-0 content-start gap-4 empty:hidden [overflow-anchor:none] lg:col-start-2">
        {impact}
        <LintCard notes={lint} onFix={onFix} />
      </div>
      <section
        aria-labelledby="activation-heading"
        className="grid min-w-0 content-start gap-3 lg:col-start-1 lg:row-span-2 lg:row-start-1"
      >
        <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <StrategiesHeading id="activation-heading" />
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
        {children}
      </section>
      <div className="grid min-w-0 content-start gap-4 lg:col-start-2">
        {aside}
        <UsageCard toggle={toggle} />
      </div>
    </div>
  );
}
