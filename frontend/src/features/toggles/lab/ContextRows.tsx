import type { ContextResult, Strategy, ToggleResult } from '@/api/generated/types';
import { describeCause } from '@/domain/evaluation/describeCause';
import { ResultChip } from '@/domain/evaluation/ResultChip';
import { jsonEqual } from '@/lib/json';
import { useLocale } from '@/lib/locale';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { describeContext } from './ContextList';
import type { ToggleVersions } from './useLab';
import type { PopulationRequest } from './usePopulation';

interface Props {
  request: PopulationRequest;
  /** With the reasons of each context. */
  result: ToggleResult;
  versions: ToggleVersions;
}

/** A row for each context: its value, the result, the variant and the reason; with unsaved edits, the result before and after. */
export function ContextRows({ request, result: { saved, edited }, versions }: Props) {
  const { fields, contexts } = request.population;
  const { toggles, compare } = request.evaluated;
  // The records of an earlier time contain the strategies of that time, as the page does.
  const savedStrategies = toggles?.[0]?.strategies ?? versions.saved.strategies;
  const strategies = compare?.[0]?.strategies ?? savedStrategies;
  return (
    <ul aria-label="Results of the users" className="grid">
      {contexts.map((context, index) => (
        <ContextRow
          // biome-ignore lint/suspicious/noArrayIndexKey: contexts may be alike, and never move.
          key={index}
          text={describeContext(fields, context)}
          saved={saved.contexts?.[index]}
          edited={edited?.contexts?.[index]}
          strategies={strategies as readonly Strategy[]}
        />
      ))}
    </ul>
  );
}

interface RowProps {
  text: string;
  saved: ContextResult | undefined;
  /** Undefined without unsaved edits. */
  edited: ContextResult | undefined;
  /** The strategies of the last version. */
  strategies: readonly Strategy[];
}

function ContextRow({ text, saved, edited, strategies }: RowProps) {
  const locale = useLocale();
  const current = edited ?? saved;
  if (!current) return null;
  const isChanged = saved && edited && !jsonEqual(getOutcome(saved), getOutcome(edited));
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 border-line py-1.5 text-secondary not-first:border-t">
      <span className="wrap-anywhere min-w-0 font-medium tabular-nums">{text}</span>
      <span className="flex flex-wrap items-center justify-end gap-1">
        {isChanged && (
          <>
            <ResultChip result={saved} />
            <span aria-hidden="true" className="text-dirty">
              →
            </span>
            <VisuallyHidden> after saving </VisuallyHidden>
          </>
        )}
        <ResultChip result={current} />
      </span>
      <p className="wrap-anywhere col-span-2 min-w-0 text-label text-muted">
        {current.variant !== undefined && <b className="font-semibold text-text">{current.variant} · </b>}
        {current.reasons && describeCause(current.reasons, strategies, { locale, omitsRules: true })}
      </p>
    </li>
  );
}

function getOutcome({ result, probability, variant }: ContextResult): object {
  return { result, probability, variant };
}
