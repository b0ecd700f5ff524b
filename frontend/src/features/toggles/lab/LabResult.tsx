import type { ContextResult, Strategy } from '@/api/generated/types';
import {
  describeDecision,
  describeParent,
  describeVariant,
  findNonAsciiHash,
  formatProbability,
} from '@/domain/evaluation/describeReason';
import { ResultChip } from '@/domain/evaluation/ResultChip';
import { describePastHold } from '@/domain/past/describeRecording';
import { jsonEqual } from '@/lib/json';
import { useLocale } from '@/lib/locale';
import { type OnRemedy, Reasons } from './Reasons';
import type { EvaluatedVersion, Sides, StrategyKey } from './reasons';

interface Props extends Sides<EvaluatedVersion> {
  /** The strategies of the toggle now, and their keys. */
  strategies: readonly Strategy[];
  keys: readonly StrategyKey[];
  /** Edits the strategies, unsaved. Undefined if they are read-only. */
  onRemedy?: OnRemedy | undefined;
}

/** Result for one context, with reasons; with unsaved edits, before and after them. */
export function LabResult({ saved, edited, strategies, keys, onRemedy }: Props) {
  const current = edited ?? saved;
  const isSame = saved && edited && jsonEqual(getOutcome(saved.result), getOutcome(edited.result));
  return (
    <>
      <div className="grid gap-2">
        {saved && !isSame && <VersionResult title={edited && 'Saved'} {...saved} />}
        {edited && <VersionResult title={isSame ? undefined : 'Unsaved'} {...edited} />}
        {edited && (
          <p className="font-semibold text-dirty text-secondary">{describeOutcome(saved?.result, edited.result)}</p>
        )}
      </div>
      {current?.result.reasons && (
        <Reasons version={current} saved={edited && saved} strategies={strategies} keys={keys} onRemedy={onRemedy} />
      )}
    </>
  );
}

/** The part of a result that its section shows first. */
function getOutcome({ result, probability, variant, reasons }: ContextResult): object {
  return { result, probability, variant, decision: reasons?.decision, strategy: reasons?.strategy };
}

function describeOutcome(saved: ContextResult | undefined, edited: ContextResult): string {
  if (saved?.result !== edited.result)
    return edited.result === 'off' ? 'Turns off after saving' : 'Changes after saving';
  return edited.result === 'off' ? 'Stays off after saving' : 'Does not change after saving';
}

interface VersionResultProps extends EvaluatedVersion {
  title: string | undefined;
}

function VersionResult({ title = 'Result', ...version }: VersionResultProps) {
  const locale = useLocale();
  const { result } = version;
  const { reasons } = result;
  const variant = describeVariant(result, reasons?.variant, locale);
  const nonAscii = reasons && findNonAsciiHash(reasons);
  return (
    <section aria-label={title} className="wrap-anywhere grid min-w-0 content-start gap-1.5 text-secondary">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className={title === 'Result' ? 'sr-only' : 'text-muted'}>{title}: </span>
        <ResultChip result={result} />
        {reasons && <span>{describeDecision(reasons)}</span>}
      </p>
      {reasons?.hold && <p>{describePastHold(reasons.hold, locale)}</p>}
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
      <p className="text-muted empty:hidden">{describeShares(version, locale)}</p>
    </section>
  );
}

/** Describes the share of each variant among the users who get the feature. */
function describeShares({ result: { reasons }, ...toggle }: EvaluatedVersion, locale: string): string {
  if (!reasons?.variant) return '';
  const strategy: Strategy | undefined = toggle.strategies[reasons.strategy ?? -1];
  const variants: readonly unknown[] = (reasons.variant.ofStrategy ? strategy?.variants : toggle.variants) ?? [];
  const weights = variants.map((one) => ({ name: `${Object(one).name}`, weight: Number(Object(one).weight) || 0 }));
  const sum = weights.reduce((total, { weight }) => total + weight, 0);
  if (sum === 0) return '';
  return `Shares: ${weights.map(({ name, weight }) => `${name} ${formatProbability(weight / sum, locale)}`).join(', ')}`;
}
