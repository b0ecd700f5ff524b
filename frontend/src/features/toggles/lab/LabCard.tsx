import type { ContextResult, Strategy } from '@/api/generated/types';
import type { NewerToggle } from '@/api/newerTypes';
import { usePastView } from '@/api/pastView';
import { ContextForm } from '@/domain/evaluation/ContextForm';
import {
  describeDecision,
  describeParent,
  describeVariant,
  findNonAsciiHash,
  formatProbability,
} from '@/domain/evaluation/describeReason';
import { type ChangeLabContext, toFragment } from '@/domain/evaluation/labContext';
import { ResultChip } from '@/domain/evaluation/ResultChip';
import { VariantHashNote } from '@/domain/evaluation/VariantHashNote';
import { matchStrategies } from '@/domain/strategies/matchStrategies';
import { getStrategyLabel } from '@/domain/strategies/strategyNames';
import { describePastHold } from '@/domain/past/describeRecording';
import { jsonEqual } from '@/lib/json';
import { useLocale } from '@/lib/locale';
import { useStore } from '@/lib/store';
import { inPast, paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Checkbox } from '@/ui/Checkbox';
import { lazyDialog } from '@/ui/lazy';
import { Progress } from '@/ui/Progress';
import { SegmentedControl } from '@/ui/SegmentedControl';
import { useUsage } from '../page/useToggle';
import { EvaluationFailure } from './EvaluationFailure';
import { assumesOn } from './labState';
import { Reasons } from './Reasons';
import type { Sides } from './reasons';
import { getDecidingFields, type Remedy } from './remedies';
import type { Lab, LabMode, ToggleVersions } from './useLab';

const PopulationSection = lazyDialog(() => import('./PopulationSection'), 'PopulationSection');

interface Props {
  lab: Lab;
  versions: ToggleVersions;
  /** Edits the strategies, unsaved. Undefined if they are read-only. */
  onRemedy?: ((remedy: Remedy) => void) | undefined;
}

/** Panel that evaluates the toggle for one context, with reasons, or for many. Nothing is evaluated before it is used. */
export function LabCard({ lab, versions, onRemedy }: Props) {
  const isOnAssumed = useStore(assumesOn);
  const { apps = [] } = useUsage(versions.saved.name);
  const view = usePastView();
  return (
    <section aria-labelledby="lab-heading">
      <Card>
        <div className="mb-3 flex min-h-6 items-center gap-2">
          <h2 id="lab-heading" className="min-w-0 flex-1 font-semibold text-secondary">
            Who gets it, and why?
          </h2>
          {lab.isOpen && lab.mode === 'context' && (
            <Button variant="ghost" size="small" className="-my-1 -mr-2" onClick={lab.close}>
              Clear
            </Button>
          )}
        </div>
        <div className="grid gap-3.5">
          <SegmentedControl label="Number of contexts" value={lab.mode} options={MODES} onChange={lab.setMode} />
          {!versions.saved.enabled && !view && (
            <Checkbox label="As if the toggle were on" checked={isOnAssumed} onChange={assumesOn.set} />
          )}
          {lab.mode === 'context' ? (
            <OneContext lab={lab} versions={versions} onRemedy={onRemedy} />
          ) : (
            // Without a population, the panel would select one context.
            <PopulationSection
              versions={versions}
              onRemove={() => lab.setMode('population')}
              loading={<Progress label="Loading" />}
            />
          )}
          {lab.problem && <p className="wrap-anywhere text-secondary text-warn">{lab.problem}</p>}
          {lab.isOpen && hasVariants(versions) && <VariantHashNote apps={apps.map(({ appName }) => appName)} />}
        </div>
      </Card>
    </section>
  );
}

const MODES: readonly { value: LabMode; label: string }[] = [
  { value: 'context', label: 'One context' },
  { value: 'population', label: 'Population' },
];

function hasVariants({ saved, edited }: ToggleVersions): boolean {
  const strategies: readonly Strategy[] = [...saved.strategies, ...edited.strategies];
  return [saved, ...strategies].some(({ variants }) => variants && variants.length > 0);
}

function OneContext({ lab, versions, onRemedy }: Props) {
  const { error, isRunning, retry } = lab.evaluation;
  const change: ChangeLabContext = (edit) => {
    // An empty context must not select the population.
    lab.setMode('context');
    // The panel stays open when the last value is removed.
    lab.open();
    lab.changeContext(edit);
  };
  const fields = getDecidingFields([...versions.edited.strategies, ...versions.saved.strategies]);
  return (
    <>
      {/* Clearing the context also clears the texts that are not applied yet. */}
      <div key={lab.clearings} className="contents">
        <ContextForm context={lab.context} deciding={fields.length > 0 ? fields : ['userId']} onChange={change} />
      </div>
      {!lab.isOpen && (
        <p className="text-muted text-secondary">
          Enter a value to see the result and its reasons, or{' '}
          <button
            type="button"
            onClick={lab.open}
            className="relative font-semibold text-accent hover:underline touch:after:absolute touch:after:-inset-3"
          >
            evaluate without a context
          </button>
          .
        </p>
      )}
      <div
        role="status"
        aria-label="Result of the context"
        aria-busy={isRunning}
        tabIndex={-1}
        data-verdict=""
        className="grid gap-3 outline-none empty:hidden"
      >
        {lab.isOpen &&
          !error &&
          (lab.saved ? (
            <LabResult {...lab} versions={versions} onRemedy={onRemedy} />
          ) : (
            <Progress label="Evaluating" />
          ))}
      </div>
      {error && <EvaluationFailure error={error} onRetry={retry} />}
      <p className="text-secondary">
        <TextLink
          to={inPast(paths.evaluation(), usePastView()) + toFragment(lab.context)}
          tone="accent"
          className={LINK}
        >
          All toggles for this context
        </TextLink>
      </p>
    </>
  );
}

const LINK = 'inline-flex items-center touch:min-h-touch';

interface LabResultProps extends Sides<ContextResult>, Pick<Props, 'versions' | 'onRemedy'> {}

/** Result for one context, with reasons; with unsaved edits, before and after them. */
function LabResult({ saved, edited, versions, onRemedy }: LabResultProps) {
  const current = edited ?? saved;
  const reasons = current?.reasons;
  const isSame = saved && edited && jsonEqual(getOutcome(saved), getOutcome(edited));
  const indexes = matchStrategies(versions.saved.strategies, versions.edited.strategies);
  return (
    <>
      <div className="grid gap-2">
        {saved && !isSame && <VersionResult title={edited && 'Saved'} result={saved} toggle={versions.saved} />}
        {edited && <VersionResult title={isSame ? undefined : 'Unsaved'} result={edited} toggle={versions.edited} />}
        {edited && <p className="font-semibold text-dirty text-secondary">{describeOutcome(saved, edited)}</p>}
      </div>
      {reasons && (
        <Reasons
          toggle={edited ? versions.edited : versions.saved}
          reasons={reasons.strategies}
          savedReason={(index) => saved?.reasons?.strategies[indexes[index] ?? -1]}
          hasEdits={edited !== undefined}
          isMissed={reasons.decision === 'noStrategyMatches'}
          onRemedy={onRemedy}
        />
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

interface VersionResultProps {
  title: string | undefined;
  result: ContextResult;
  toggle: NewerToggle;
}

function VersionResult({ title = 'Result', result, toggle }: VersionResultProps) {
  const locale = useLocale();
  const { reasons } = result;
  const labels = toggle.strategies.map((_, index) => getStrategyLabel(toggle.strategies, index));
  const variant = describeVariant(result, reasons?.variant, locale);
  const nonAscii = reasons && findNonAsciiHash(reasons);
  return (
    <section aria-label={title} className="wrap-anywhere grid min-w-0 content-start gap-1.5 text-secondary">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className={title === 'Result' ? 'sr-only' : 'text-muted'}>{title}: </span>
        <ResultChip result={result} />
        {reasons && <span>{describeDecision(reasons, labels)}</span>}
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
