import { Card } from '@/ui/Card';
import { WarningIcon } from '@/ui/icons';

/** Card with warnings about likely mistakes. They do not prevent saving. */
export function LintCard({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <section aria-label="Warnings">
      <Card>
        <ul className="grid gap-2.5 text-secondary text-warn">
          {notes.map((text) => (
            <li key={text} className="flex gap-2.5">
              <WarningIcon className="mt-px shrink-0" />
              <span className="wrap-anywhere min-w-0">{text}</span>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}
