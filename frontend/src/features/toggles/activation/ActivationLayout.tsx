import type { ReactNode } from 'react';
import type { Toggle } from '@/api/generated/types';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { WarningIcon } from '@/ui/icons';
import { KeepInPlace } from '@/ui/KeepInPlace';
import { UsageCard } from '../metrics/UsageCard';
import type { LintFix, LintNote } from './lintToggle';
import { RecentChanges } from './RecentChanges';

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
  children: ReactNode;
}

/** Layout of the activation tab: the impact above the strategies, and the panels beside or, on phones, below them. */
export function ActivationLayout(props: Props) {
  const { toggle, lint, onFix, impact, isEdited = false, actions, lab, children } = props;
  return (
    <div className="grid gap-4">
      {impact}
      <div className="grid items-start gap-x-6 gap-y-4 lg:grid-cols-[minmax(0,1fr)_300px]">
        <KeepInPlace isEdited={isEdited} aria-labelledby="activation-heading" className="grid min-w-0 gap-3">
          <h2 id="activation-heading" className="sr-only">
            Activation strategies
          </h2>
          {children}
          {actions}
          {/* Below everything that is edited, so that a warning moves nothing. */}
          <LintCard notes={lint} onFix={onFix} />
        </KeepInPlace>
        <div className="grid min-w-0 gap-4">
          {lab}
          <UsageCard toggle={toggle} isArchived={lab === undefined} />
          <RecentChanges toggle={toggle} />
        </div>
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
export function LintCard({ notes, onFix }: LintCardProps) {
  if (notes.length === 0) return null;
  const subjects = new Set(notes.map(({ fixes }) => getSubject(fixes)));
  return (
    <section aria-label="Warnings" data-about={subjects.size === 1 ? [...subjects][0] : undefined}>
      <Card>
        <ul className="grid gap-3 text-secondary">
          {notes.map(({ text, fixes }) => (
            <li key={text} data-about={getSubject(fixes)} className="flex gap-2.5">
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

/** Warnings about a percentage or missing values are not shown while these are edited. */
function getSubject(fixes: readonly LintFix[]): 'share' | 'values' | undefined {
  const isAbout = (label: string) =>
    fixes.length > 0 && fixes.every((fix) => fix.kind === 'focus' && fix.label === label);
  if (isAbout('Set a percentage')) return 'share';
  return isAbout('Add values') ? 'values' : undefined;
}
