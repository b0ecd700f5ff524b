import type { ResultChange } from '@/api/generated/types';
import type { LabContext } from '@/domain/evaluation/labContext';
import { copyAndNotify } from '@/shared/copyAndNotify';
import { Button } from '@/ui/Button';
import { Count } from '@/ui/Count';
import { Dialog } from '@/ui/Dialog';
import { CopyIcon } from '@/ui/icons';
import { useIncrementalRows } from '@/ui/useIncrementalRows';
import { formatContexts } from './formatContexts';
import type { Population } from './parsePopulation';

interface Props {
  open: boolean;
  change: ResultChange;
  population: Population;
  onClose: () => void;
}

const KINDS: readonly { key: keyof ResultChange; title: string }[] = [
  { key: 'turnedOn', title: 'Turned on' },
  { key: 'turnedOff', title: 'Turned off' },
  { key: 'lessCertain', title: 'Result becomes uncertain' },
  { key: 'otherVariant', title: 'Another variant' },
];

/** Dialog with the contexts whose result an edit changes. */
export function ChangedContextsDialog({ open, change, population, onClose }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title="Changed results" wide>
      {KINDS.map(({ key, title }) => (
        <ContextList
          key={key}
          title={title}
          fields={population.fields}
          contexts={change[key].map((index) => population.contexts[index] ?? {})}
        />
      ))}
    </Dialog>
  );
}

interface ListProps {
  title: string;
  fields: readonly string[];
  contexts: readonly LabContext[];
}

function ContextList({ title, fields, contexts }: ListProps) {
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

function describeContext(fields: readonly string[], context: LabContext): string {
  if (fields.length === 1) return Object.values(context).join();
  return Object.entries(context)
    .map(([field, value]) => `${field} ${value}`)
    .join(', ');
}
