import type { StrategyReason } from '@/api/generated/types';
import { describeRule } from '@/domain/evaluation/describeReason';
import { ResultChip } from '@/domain/evaluation/ResultChip';
import { jsonEqual } from '@/lib/json';
import { useLocale } from '@/lib/locale';
import { useStrategyReasons } from './reasons';

interface Props {
  /** Name of the strategy. The result of a strategy with another name is out of date. */
  name: string;
}

/** Result of a strategy for the context of the panel, with its reason. Without a result, it is empty. */
export function StrategyVerdict({ name }: Props) {
  const reasons = useStrategyReasons();
  const [saved, edited] = [reasons.saved, reasons.edited].map((reason) => (reason?.name === name ? reason : undefined));
  if (!saved && !edited) return null;
  const isChanged = saved && edited && !jsonEqual(saved, edited);
  return (
    <div className="grid gap-x-6 gap-y-1.5 border-line border-t px-4 py-2 text-secondary sm:grid-flow-col sm:auto-cols-fr">
      {isChanged && <Verdict label="Saved" reason={saved} />}
      <Verdict label={isChanged ? 'Unsaved' : undefined} reason={edited ?? saved} />
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
