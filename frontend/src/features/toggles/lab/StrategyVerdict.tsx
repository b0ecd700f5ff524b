import type { Constraint, StrategyReason } from '@/api/generated/types';
import { describeVerdict } from '@/domain/evaluation/describeReason';
import { ResultChip } from '@/domain/evaluation/ResultChip';
import { jsonEqual } from '@/lib/json';
import { useLocale } from '@/lib/locale';
import { useStrategyReasons } from './reasons';

interface Props {
  /** Name of the strategy. The result of a strategy with another name is out of date. */
  name: string;
  constraints: readonly Constraint[];
}

/** Result of a strategy for the context of the panel, in its row. Without a result, it is empty. */
export function StrategyVerdict({ name, constraints }: Props) {
  const reasons = useStrategyReasons();
  const [saved, edited] = [reasons.saved, reasons.edited].map((reason) => (reason?.name === name ? reason : undefined));
  if (!saved && !edited) return null;
  const isChanged = saved && edited && !jsonEqual(saved, edited);
  return (
    <div className="col-start-2 col-end-4 mt-1.5 grid min-w-0 gap-x-6 gap-y-1 text-secondary sm:grid-flow-col sm:auto-cols-fr">
      {isChanged && <Verdict label="Saved" reason={saved} constraints={constraints} />}
      <Verdict label={isChanged ? 'Unsaved' : undefined} reason={edited ?? saved} constraints={constraints} />
    </div>
  );
}

interface VerdictProps extends Pick<Props, 'constraints'> {
  label: string | undefined;
  reason: StrategyReason | undefined;
}

function Verdict({ label, reason, constraints }: VerdictProps) {
  const locale = useLocale();
  if (!reason) return null;
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      {label && <span className="text-muted">{label}: </span>}
      <ResultChip result={reason} />{' '}
      <span className="wrap-anywhere min-w-0">{describeVerdict(reason, constraints, locale)}</span>
    </p>
  );
}
