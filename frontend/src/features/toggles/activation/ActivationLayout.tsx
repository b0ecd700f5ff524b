import type { ReactNode } from 'react';
import type { Toggle } from '@/api/generated/types';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { WarningIcon } from '@/ui/icons';
import { KeepInPlace } from '@/ui/KeepInPlace';
import { UsageCard } from '../metrics/UsageCard';
import type { LintFix, LintNote } from './lintToggle';
import { StrategiesHeading } from './StrategiesHeading';

interface Props {
  toggle: Toggle;
  lint: readonly LintNote[];
  /** Undefined if the strategies cannot be edited. */
  onFix?: ((fix: LintFix) => void) | undefined;
  impact: ReactNode;
  /** There are unsaved changes. */
  isEdited?: boolean;
  actions?: ReactNode;
  /** Panel that evaluates the toggle. On phones, it is below the strategies. */
  lab?: ReactNode;
  /** Item of the side column, above the usage. */
  aside?: ReactNode;
  children: ReactNode;
}

/** Layout of the activation tab. Impact and warnings come first: on phones, they are above the strategies. */
export function ActivationLayout(props: Props) {
  const { toggle, lint, onFix, impact, isEdited = false, actions, lab, aside, children } = props;
  return (
    <div className="grid gap-x-6 gap-y-4 lg:grid-cols-[minmax(0,1fr)_300px] lg:grid-rows-[auto_1fr]">
      <div className="grid min-w-0 content-start gap-4 empty:hidden lg:col-start-2">
        {impact}
        <LintCard notes={lint} onFix={onFix} />
      </div>
      <KeepInPlace
        isEdited={isEdited}
        aria-labelledby="activation-heading"
        className="grid min-w-0 content-start gap-3 lg:col-start-1 lg:row-span-2 lg:row-start-1"
      >
        <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <StrategiesHeading id="activation-heading" />
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
        {children}
      </KeepInPlace>
      <div className="grid min-w-0 content-start gap-4 lg:col-start-2">
        {lab}
        {aside}
        <UsageCard toggle={toggle} />
      </div>
    </div>
  );
}

interface LintCardProps {
  notes: readonly LintNote[];
  /** Changes the unsaved strategies. Undefined if they cannot be edited. */
  onFix?: ((fix: LintFix) => void) | undefined;
}

/** Card with warnings about likely mistakes, and their fixes. They do not prevent saving. */
function LintCard({ notes, onFix }: LintCardProps) {
  if (notes.length === 0) return null;
  return (
    <section aria-label="Warnings">
      <Card>
        <ul className="grid gap-3 text-secondary">
          {notes.map(({ text, fixes }) => (
            <li key={text} className="flex gap-2.5">
              <WarningIcon className="mt-px shrink-0 text-warn" />
              <div className="grid min-w-0 gap-2">
                <p className="wrap-anywhere text-warn">{text}</p>
                {onFix && fixes.length > 0 && (
                  <div className="flex flex-wrap gap-2">
                    {fixes.map((fix) => (
                      <Button key={fix.label} size="small" aria-description={text} onClick={() => onFix(fix)}>
                        {fix.label}
                      </Button>
                    ))}
                  </div>
                )}
              </div>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}
