import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { WarningIcon } from '@/ui/icons';
import type { LintFix, LintNote } from './lintToggle';

interface Props {
  notes: readonly LintNote[];
  /** Changes the unsaved strategies. Undefined if they cannot be edited. */
  onFix?: ((fix: LintFix) => void) | undefined;
}

/** Card with warnings about likely mistakes, and their fixes. They do not prevent saving. */
export function LintCard({ notes, onFix }: Props) {
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
