import type { Constraint, StrategyReason } from '@/api/generated/types';
import { describeRule } from '@/domain/evaluation/describeReason';
import { ResultChip } from '@/domain/evaluation/ResultChip';
import { jsonEqual } from '@/lib/json';
import { useLocale } from '@/lib/locale';
import { ConstraintVerdict } from './ConstraintVerdict';
import { useStrategyReasons } from './reasons';

interface Props {
  /** Name of the strategy. The result of a strategy with another name is out of date. */
  name: string;
  constraints: readonly Constraint[];
}

/** Result of a strategy and its constraints for the context of the panel, in its row. Without a result, it is empty. */
export function StrategyVerdict({ name, constraints }: Props) {
  const reasons = useStrategyReasons();
  const [saved, edited] = [reasons.saved, reasons.edited].map((reason) => (reason?.name === name ? reason : undefined));
  if (!saved && !edited) return null;
  const isChanged = saved && edited && !jsonEqual(saved, edited);
  return (
    <div className="col-start-2 col-end-4 mt-1.5 grid min-w-0 gap-1 text-secondary">
      <div className="grid gap-x-6 gap-y-1 sm:grid-flow-col sm:auto-cols-fr">
        {isChanged && <Verdict label="Saved" reason={saved} />}
        <Verdict label={isChanged ? 'Unsaved' : undefined} reason={edited ?? saved} />
      </div>
      {constraints.map((constraint, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: constraints have no name, may be alike, and never move.
        <ConstraintVerdict key={index} constraint={constraint} index={index} />
      ))}
    </div>
  );
}

function Verdict({ label, reason }: { label: string | undefined; reason: StrategyReason | undefined }) {
  const locale = useLocale();
  if (!reason) return null;
  const rule = describeRule(reason.rule, locale);
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      {label && <span className="text-muted">{label}: </span>}
      <ResultChip result={reason} />{' '}
      <span className="wrap-anywhere min-w-0">{reason.disabled ? 'the strategy is disabled' : rule}</span>
    </p>
  );
}
