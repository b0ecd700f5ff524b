import { useState } from 'react';
import type { PopulationResult, ResultChange, ResultCounts, ToggleResult } from '@/api/generated/types';
import { formatProbability } from '@/domain/evaluation/describeReason';
import type { LabContext } from '@/domain/evaluation/labContext';
import { cx } from '@/lib/cx';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { copyAndNotify } from '@/shared/copyAndNotify';
import { Button } from '@/ui/Button';
import { Count } from '@/ui/Count';
import { Dialog } from '@/ui/Dialog';
import { CopyIcon } from '@/ui/icons';
import { Progress } from '@/ui/Progress';
import { useIncrementalRows } from '@/ui/useIncrementalRows';
import { describeCounts, describeEffect } from './describeEffect';
import { EvaluationFailure } from './EvaluationFailure';
import type { Population } from './parsePopulation';
import type { ToggleVersions } from './useLab';
import { usePopulation } from './usePopulation';

/** Counts of the results for the population, and the effect of unsaved edits on them. */
export function PopulationResults({ versions }: { versions: ToggleVersions }) {
  const { population, result, error, retry, isRunning } = usePopulation(versions);
  const locale = useLocale();
  if (error) return <EvaluationFailure error={error} onRetry={retry} />;
  if (!population || !result) return <Progress label="Evaluating" />;
  const total = population.contexts.length;
  return (
    <div className="grid gap-3">
      <p role="status" aria-busy={isRunning} className="text-secondary">
        {result.change ? describeEffect(result.change, total, locale) : describeCounts(result.saved.counts, locale)}
      </p>
      {result.change && <ChangedContexts change={result.change} population={population} />}
      <PopulationTable result={result} total={total} />
    </div>
  );
}

interface ChangedContextsProps {
  change: ResultChange;
  population: Population;
}

function ChangedContexts({ change, population }: ChangedContextsProps) {
  const [isOpen, setOpen] = useState(false);
  if (Object.values(change).every(({ length }) => length === 0)) return null;
  return (
    <div>
      <Button size="small" onClick={() => setOpen(true)}>
        Show changed results
      </Button>
      <ChangedContextsDialog open={isOpen} change={change} population={population} onClose={() => setOpen(false)} />
    </div>
  );
}

interface ChangedContextsDialogProps {
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
function ChangedContextsDialog({ open, change, population, onClose }: ChangedContextsDialogProps) {
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

/** Returns the contexts as text that `parsePopulation` reads: a list of values, or a CSV if there are several fields. */
export function formatContexts(fields: readonly string[], contexts: readonly LabContext[]): string {
  const rows = contexts.map((context) => fields.map((field) => context[field] ?? ''));
  if (fields.length === 1) return rows.join('\n');
  return [fields, ...rows].map((row) => row.map(quote).join(',')).join('\n');
}

function quote(value: string): string {
  return /[",\r\n]/u.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

interface PopulationTableProps {
  result: ToggleResult;
  /** Number of contexts. */
  total: number;
}

/** Number and share of contexts with each result and variant; with unsaved edits, before and after them. */
function PopulationTable({ result: { saved, edited }, total }: PopulationTableProps) {
  const locale = useLocale();
  const sides = edited ? [saved, edited] : [saved];
  const headers = edited ? ['Saved', 'Unsaved'] : ['Contexts'];
  return (
    <table aria-label="Results of the population" className="w-full text-secondary tabular-nums">
      <thead className="text-muted">
        <tr>
          <th className="text-left font-medium">Result</th>
          {headers.map((header) => (
            <th key={header} className="w-24 text-right font-medium">
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {getRows(sides).map(({ label, counts }) => (
          <tr key={label} className="border-line border-t">
            <th scope="row" className="wrap-anywhere py-1 pr-2 text-left font-medium">
              {label}
            </th>
            {counts.map((count, index) => (
              <td key={headers[index]} className="py-1 text-right align-top">
                {formatNumber(count, locale)}{' '}
                <span className={cx('text-muted', edited ? 'block text-label' : 'inline-block min-w-11')}>
                  {formatProbability(count / total, locale)}
                </span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface Row {
  label: string;
  /** One for each side. */
  counts: number[];
}

const RESULTS: readonly { key: keyof ResultCounts; label: string; isAlwaysShown: boolean }[] = [
  { key: 'on', label: 'On', isAlwaysShown: true },
  { key: 'off', label: 'Off', isAlwaysShown: true },
  { key: 'application', label: 'Application decides', isAlwaysShown: false },
  { key: 'random', label: 'On at random', isAlwaysShown: false },
];

function getRows(sides: readonly PopulationResult[]): Row[] {
  const results = RESULTS.map(({ key, label, isAlwaysShown }) => ({
    label,
    isAlwaysShown,
    counts: sides.map(({ counts }) => counts[key]),
  }));
  const names = new Set(sides.flatMap(({ variants }) => variants.map(({ name }) => name)));
  const variants = [...names].sort().map((name) => ({
    label: `Variant ${name}`,
    counts: sides.map((side) => side.variants.find((one) => one.name === name)?.count ?? 0),
  }));
  return [
    ...results.filter(({ isAlwaysShown, counts }) => isAlwaysShown || counts.some((count) => count > 0)),
    ...variants,
  ];
}
