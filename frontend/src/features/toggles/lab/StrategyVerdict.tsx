import { describeVerdict } from '@/domain/evaluation/describeReason';
import { ResultChip } from '@/domain/evaluation/ResultChip';
import { jsonEqual } from '@/lib/json';
import { useLocale } from '@/lib/locale';
import { type ExplainedStrategy, type StrategyKey, useStrategyReasons } from './reasons';

interface Props {
  strategyKey: StrategyKey;
  /** Name of the strategy. The result of a strategy with another name is out of date. */
  name: string;
}

/** Result of a strategy for the context of the panel, in its row. Without a result, it is empty. */
export function StrategyVerdict({ strategyKey, name }: Props) {
  const reasons = useStrategyReasons(strategyKey);
  const [saved, edited] = [reasons.saved, reasons.edited].map((one) => (one?.reason.name === name ? one : undefined));
  if (!saved && !edited) return null;
  const isChanged = saved && edited && !jsonEqual(saved.reason, edited.reason);
  return (
    <div className="col-start-2 col-end-4 mt-1.5 grid min-w-0 gap-x-6 gap-y-1 text-secondary sm:grid-flow-col sm:auto-cols-fr">
      {isChanged && <Verdict label="Saved" explained={saved} />}
      <Verdict label={isChanged ? 'Unsaved' : undefined} explained={edited ?? saved} />
    </div>
  );
}

interface VerdictProps {
  label: string | undefined;
  explained: ExplainedStrategy | undefined;
}

function Verdict({ label, explained }: VerdictProps) {
  const locale = useLocale();
  if (!explained) return null;
  const { strategy, reason } = explained;
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      {label && <span className="text-muted">{label}: </span>}
      <ResultChip result={reason} />{' '}
      <span className="wrap-anywhere min-w-0">{describeVerdict(reason, strategy.constraints ?? [], locale)}</span>
    </p>
  );
}
