import type { LabContext } from '@/domain/evaluation/labContext';
import { copyAndNotify } from '@/shared/copyAndNotify';
import { Button } from '@/ui/Button';
import { Count } from '@/ui/Count';
import { CopyIcon } from '@/ui/icons';
import { useIncrementalRows } from '@/ui/useIncrementalRows';

interface ListProps {
  title: string;
  fields: readonly string[];
  contexts: readonly LabContext[];
}

/** Contexts under a heading with their number, which can be copied. */
export function ContextList({ title, fields, contexts }: ListProps) {
  const { rendered, placeholder } = useIncrementalRows(contexts);
  if (contexts.length === 0) return null;
  return (
    <section aria-label={title} className="grid min-w-0 gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="flex-1 font-semibold text-secondary">
          {title}: <Count value={contexts.length} />
        </h3>
        <Button
          size="small"
          icon={<CopyIcon size={15} />}
          aria-label={`Copy ${title.toLowerCase()}`}
          onClick={() => void copyAndNotify(formatContexts(fields, contexts))}
        >
          Copy
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the list. */}
      <div tabIndex={0} className={LIST}>
        <ul>
          {rendered.map((context, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: contexts may be alike, and never move.
            <li key={index} className="wrap-anywhere">
              {describeContext(fields, context)}
            </li>
          ))}
        </ul>
        {placeholder}
      </div>
    </section>
  );
}

const LIST = 'max-h-56 overflow-y-auto rounded-control bg-sunken px-3 py-2 text-secondary tabular-nums';

/** Describes a context in one line. */
export function describeContext(fields: readonly string[], context: LabContext): string {
  if (fields.length === 1) return Object.values(context).join();
  return Object.entries(context)
    .map(([field, value]) => `${field} ${value}`)
    .join(', ');
}

/** Returns the contexts as text that `parsePopulation` reads: a list of values, or a CSV if there are several fields. */
export function formatContexts(fields: readonly string[], contexts: readonly LabContext[]): string {
  const rows = contexts.map((context) => fields.map((field) => context[field] ?? ''));
  if (fields.length === 1) return rows.join('\n');
  return [fields, ...rows].map((row) => row.map(quote).join(',')).join('\n');
}

function quote(value: string): string {
  return /[",\r\n]/u.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
