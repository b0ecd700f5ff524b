import { useState } from 'react';
import type { ContextResult, PopulationResult, ResultChange, ResultCounts, ToggleResult } from '@/api/generated/types';
import { formatProbability } from '@/domain/evaluation/describeReason';
import { cx } from '@/lib/cx';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Progress } from '@/ui/Progress';
import { ContextList } from './ContextList';
import { ContextRows } from './ContextRows';
import { describeCounts, describeEffect } from './describeEffect';
import { EvaluationFailure } from './EvaluationFailure';
import type { Population } from './parsePopulation';
import type { ToggleVersions } from './useLab';
import { type PopulationRequest, useContextResults, usePopulation } from './usePopulation';

/** Results of the population, a row each or counted, and the effect of unsaved edits on them. */
export function PopulationResults({ versions }: { versions: ToggleVersions }) {
  const { request, result, error, retry, isRunning } = usePopulation(versions);
  const locale = useLocale();
  if (error) return <EvaluationFailure error={error} onRetry={retry} />;
  if (!request || !result) return <Progress label="Evaluating" />;
  const { population } = request;
  const total = population.contexts.length;
  const hasRows = result.saved.contexts !== undefined;
  return (
    <div className="grid gap-3">
      <p role="status" aria-busy={isRunning} className="text-secondary">
        {result.change ? describeEffect(result.change, total, locale) : describeCounts(result.saved.counts, locale)}
      </p>
      {hasRows ? (
        <ContextRows request={request} result={result} versions={versions} />
      ) : (
        <>
          {result.change && <ChangedContexts change={result.change} population={population} />}
          <PopulationTable request={request} result={result} total={total} />
        </>
      )}
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

interface PopulationTableProps {
  request: PopulationRequest;
  result: ToggleResult;
  /** Number of contexts. */
  total: number;
}

/** Number and share of contexts with each result and variant; with unsaved edits, before and after them. */
function PopulationTable({ request, result: { saved, edited }, total }: PopulationTableProps) {
  const locale = useLocale();
  const [listed, setListed] = useState<Row>();
  const [isListing, setListing] = useState(false);
  const show = (row: Row) => {
    setListed(row);
    setListing(true);
  };
  const sides = edited ? [saved, edited] : [saved];
  const headers = edited ? ['Saved', 'Unsaved'] : ['Contexts'];
  return (
    <>
      <table aria-label="Results of the population" className="w-full text-secondary tabular-nums">
        <thead className="text-muted">
          <tr>
            <th className="text-left font-medium">Result</th>
            {headers.map((header) => (
              <th key={header} className="w-20 text-right font-medium">
                {header}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {getRows(sides).map((row) => (
            <tr key={row.label} className="border-line border-t">
              <th scope="row" className="wrap-anywhere py-1 pr-2 text-left font-medium">
                {row.label}
              </th>
              {row.counts.map((count, index) => (
                <td key={headers[index]} className="py-1 text-right align-top">
                  {formatNumber(count, locale)}{' '}
                  <span className={cx('text-muted', edited ? 'block text-label' : 'inline-block min-w-11')}>
                    {formatProbability(count / total, locale)}
                  </span>
                </td>
              ))}
              <td className="w-12 py-1 text-right align-top">
                {row.counts.at(-1) !== 0 && (
                  <button type="button" aria-label={`Show ${row.label}`} className={SHOW} onClick={() => show(row)}>
                    Show
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Dialog open={isListing} onClose={() => setListing(false)} title={listed?.label ?? ''} wide>
        {listed && <ListedContexts row={listed} request={request} isEdited={edited !== undefined} />}
      </Dialog>
    </>
  );
}

const SHOW = 'relative font-semibold text-accent text-label hover:underline touch:after:absolute touch:after:-inset-3';

interface ListedContextsProps {
  row: Row;
  request: PopulationRequest;
  isEdited: boolean;
}

/** The contexts with a result: with unsaved edits, after them. */
function ListedContexts({ row, request, isEdited }: ListedContextsProps) {
  const { result, error, retry } = useContextResults(request);
  const { fields, contexts } = request.population;
  if (error) return <EvaluationFailure error={error} onRetry={retry} />;
  if (!result) return <Progress label="Evaluating" />;
  const results = (result.edited ?? result.saved).contexts ?? [];
  const listed = contexts.filter((_, index) => results[index] && row.matches(results[index]));
  return <ContextList title={isEdited ? `${row.label} after saving` : row.label} fields={fields} contexts={listed} />;
}

interface Row {
  label: string;
  matches: (result: ContextResult) => boolean;
  /** One for each side. */
  counts: number[];
}

const RESULTS: readonly { key: keyof ResultCounts; label: string; isAlwaysShown: boolean }[] = [
  { key: 'on', label: 'On', isAlwaysShown: true },
  { key: 'off', label: 'Off', isAlwaysShown: true },
  { key: 'application', label: 'App decides', isAlwaysShown: false },
  { key: 'random', label: 'On for some requests', isAlwaysShown: false },
];

function getRows(sides: readonly PopulationResult[]): Row[] {
  const results = RESULTS.map(({ key, label, isAlwaysShown }) => ({
    label,
    isAlwaysShown,
    matches: ({ result }: ContextResult) => result === key,
    counts: sides.map(({ counts }) => counts[key]),
  }));
  const names = new Set(sides.flatMap(({ variants }) => variants.map(({ name }) => name)));
  const variants = [...names].sort().map((name) => ({
    label: `Variant ${name}`,
    matches: ({ variant }: ContextResult) => variant === name,
    counts: sides.map((side) => side.variants.find((one) => one.name === name)?.count ?? 0),
  }));
  return [
    ...results.filter(({ isAlwaysShown, counts }) => isAlwaysShown || counts.some((count) => count > 0)),
    ...variants,
  ];
}
