import type { ContextResult, Strategy } from '@/api/generated/types';
import type { NewerToggle } from '@/api/newerTypes';
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
import { getStrategyLabel } from '@/domain/strategies/describeStrategy';
import { useLocale } from '@/lib/locale';
import { useStore } from '@/lib/store';
import { paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { Card } from '@/ui/Card';
import { Checkbox } from '@/ui/Checkbox';
import { ChevronDownIcon, ChevronRightIcon } from '@/ui/icons';
import { Progress } from '@/ui/Progress';
import { SegmentedControl } from '@/ui/SegmentedControl';
import { useUsage } from '../page/useToggle';
import { EvaluationFailure } from './EvaluationFailure';
import { assumesOn } from './labState';
import { PopulationSection } from './PopulationSection';
import type { Sides } from './reasons';
import type { Lab, LabMode, ToggleVersions } from './useLab';

interface Props {
  lab: Lab;
  versions: ToggleVersions;
}

/** Card that evaluates the toggle for a context. It is collapsed until it is used. */
export function LabCard({ lab, versions }: Props) {
  const result = lab.edited ?? lab.saved;
  const Icon = lab.isOpen ? ChevronDownIcon : ChevronRightIcon;
  return (
    <section aria-labelledby="lab-heading">
      <Card>
        <div className="flex items-center gap-2">
          <h2 id="lab-heading" className="min-w-0 flex-1 font-semibold text-secondary">
            <button
              type="button"
              aria-expanded={lab.isOpen}
              onClick={lab.isOpen ? lab.close : lab.open}
              className="-m-2 flex w-[calc(100%+1rem)] items-center gap-1.5 rounded-control p-2 text-left hover:bg-sunken touch:min-h-touch"
            >
              <Icon size={15} className="shrink-0 text-muted" />
              Try it
            </button>
          </h2>
          {result && <ResultChip result={result} />}
        </div>
        {lab.isOpen ? (
          <div className="pt-3">
            <LabPanel lab={lab} versions={versions} />
          </div>
        ) : (
          <p className="pt-1 text-muted text-secondary">Who gets this toggle, and why</p>
        )}
      </Card>
    </section>
  );
}

interface LabPanelProps {
  lab: Lab;
  versions: ToggleVersions;
}

/** Content of the panel: results of the toggle for one context or for many. */
function LabPanel({ lab, versions }: LabPanelProps) {
  const isOnAssumed = useStore(assumesOn);
  const { apps = [] } = useUsage(versions.saved.name);
  return (
    <div className="grid gap-4">
      <SegmentedControl label="Number of contexts" value={lab.mode} options={MODES} onChange={lab.setMode} />
      {!versions.saved.enabled && (
        <Checkbox label="As if the toggle were on" checked={isOnAssumed} onChange={assumesOn.set} />
      )}
      {lab.mode === 'context' ? (
        <OneContext lab={lab} versions={versions} />
      ) : (
        // Without a population, the panel would select one context.
        <PopulationSection versions={versions} onRemove={() => lab.setMode('population')} />
      )}
      {lab.problem && <p className="wrap-anywhere text-secondary text-warn">{lab.problem}</p>}
      {hasVariants(versions) && <VariantHashNote apps={apps.map(({ appName }) => appName)} />}
    </div>
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

function OneContext({ lab, versions }: LabPanelProps) {
  const { error, isRunning, retry } = lab.evaluation;
  const change: ChangeLabContext = (edit) => {
    // An empty context must not select the population.
    lab.setMode('context');
    lab.changeContext(edit);
  };
  return (
    <>
      <ContextForm context={lab.context} onChange={change} />
      <div role="status" aria-label="Result of the context" aria-busy={isRunning} className="grid gap-2">
        {!error && (lab.saved ? <LabResult {...lab} versions={versions} /> : <Progress label="Evaluating" />)}
      </div>
      {error && <EvaluationFailure error={error} onRetry={retry} />}
      <p className="text-secondary">
        <TextLink to={paths.evaluation() + toFragment(lab.context)} tone="accent" className={LINK}>
          All toggles for this context
        </TextLink>
      </p>
    </>
  );
}

const LINK = 'inline-flex items-center touch:min-h-touch';

interface LabResultProps extends Sides<ContextResult> {
  versions: ToggleVersions;
}

/** Result for one context; with unsaved edits, before and after them. */
function LabResult({ saved, edited, versions }: LabResultProps) {
  return (
    <div className="grid gap-4 sm:grid-flow-col sm:auto-cols-fr">
      {saved && <VersionResult title={edited && 'Saved'} result={saved} toggle={versions.saved} />}
      {edited && <VersionResult title="Unsaved" result={edited} toggle={versions.edited} />}
    </div>
  );
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
