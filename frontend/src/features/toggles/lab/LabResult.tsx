import type { ContextResult, Strategy } from '@/api/generated/types';
import type { NewerToggle } from '@/api/newerTypes';
import {
  describeDecision,
  describeParent,
  describeVariant,
  findNonAsciiHash,
  formatProbability,
} from '@/domain/evaluation/describeReason';
import { ResultChip } from '@/domain/evaluation/ResultChip';
import { getStrategyLabel } from '@/domain/strategies/describeStrategy';
import { useLocale } from '@/lib/locale';
import type { Sides } from './reasons';
import type { Versions } from './useLab';

interface Props extends Sides<ContextResult> {
  versions: Versions;
}

/** Result for one context; with unsaved edits, before and after them. */
export function LabResult({ saved, edited, versions }: Props) {
  return (
    <div className="grid gap-4 sm:grid-flow-col sm:auto-cols-fr">
      {saved && <Side title={edited && 'Saved'} result={saved} toggle={versions.saved} />}
      {edited && <Side title="Unsaved" result={edited} toggle={versions.edited} />}
    </div>
  );
}

interface SideProps {
  title: string | undefined;
  result: ContextResult;
  toggle: NewerToggle;
}

function Side({ title = 'Result', result, toggle }: SideProps) {
  const locale = useLocale();
  const { reasons } = result;
  const labels = toggle.strategies.map((_, index) => getStrategyLabel(toggle.strategies, index));
  const variant = describeVariant(result, reasons?.variant, locale);
  const nonAscii = reasons && findNonAsciiHash(reasons);
  return (
    <section aria-label={title} className="wrap-anywhere grid min-w-0 content-start gap-1.5 text-secondary">
      <p className="flex flex-wrap items-center gap-2">
        <span className="text-muted">{title}: </span>
        <ResultChip result={result} />
      </p>
      {reasons && <p>{describeDecision(reasons, labels)}</p>}
      {reasons?.parents.map((parent) => (
        <p key={parent.name} className="text-muted">
          Parent: {describeParent(parent, locale)}
        </p>
      ))}
      {variant !== undefined && <p>Variant {variant}</p>}
      {nonAscii !== undefined && (
        <p className="text-muted">
          Applications with the library for Node.js can get another result, because it hashes letters outside ASCII
          differently: {nonAscii}
        </p>
      )}
      <p className="text-muted empty:hidden">{describeShares(result, toggle, locale)}</p>
    </section>
  );
}

/** Describes the share of each variant among the users who get the feature. */
function describeShares({ reasons }: ContextResult, toggle: NewerToggle, locale: string): string {
  if (!reasons?.variant) return '';
  const strategy: Strategy | undefined = toggle.strategies[reasons.strategy ?? -1];
  const variants: readonly unknown[] = (reasons.variant.ofStrategy ? strategy?.variants : toggle.variants) ?? [];
  const weights = variants.map((one) => ({ name: `${Object(one).name}`, weight: Number(Object(one).weight) || 0 }));
  const sum = weights.reduce((total, { weight }) => total + weight, 0);
  if (sum === 0) return '';
  return `Shares: ${weights.map(({ name, weight }) => `${name} ${formatProbability(weight / sum, locale)}`).join(', ')}`;
}
