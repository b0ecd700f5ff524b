import type { Strategy } from '@/api/generated/types';
import { ContextForm } from '@/domain/evaluation/ContextForm';
import { type ChangeLabContext, toFragment } from '@/domain/evaluation/labContext';
import { VariantHashNote } from '@/domain/evaluation/VariantHashNote';
import { useStore } from '@/lib/store';
import { paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { Checkbox } from '@/ui/Checkbox';
import { Progress } from '@/ui/Progress';
import { SegmentedControl } from '@/ui/SegmentedControl';
import { useUsage } from '../page/useToggle';
import { EvaluationFailure } from './EvaluationFailure';
import { LabResult } from './LabResult';
import { assumesOn } from './labState';
import { PopulationSection } from './PopulationSection';
import type { Lab, LabMode, Versions } from './useLab';

interface Props {
  lab: Lab;
  versions: Versions;
}

/** Content of the panel: results of the toggle for one context or for many. */
export function LabPanel({ lab, versions }: Props) {
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

function hasVariants({ saved, edited }: Versions): boolean {
  const strategies: readonly Strategy[] = [...saved.strategies, ...edited.strategies];
  return [saved, ...strategies].some(({ variants }) => variants && variants.length > 0);
}

function OneContext({ lab, versions }: Props) {
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
