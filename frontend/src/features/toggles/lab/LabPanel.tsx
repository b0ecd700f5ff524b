import { useState } from 'react';
import type { NewerStrategy } from '@/api/newerTypes';
import { ContextForm } from '@/domain/evaluation/ContextForm';
import { VariantHashNote } from '@/domain/evaluation/VariantHashNote';
import { useStore } from '@/lib/store';
import { Checkbox } from '@/ui/Checkbox';
import { Progress } from '@/ui/Progress';
import { SegmentedControl } from '@/ui/SegmentedControl';
import { useUsage } from '../page/useToggle';
import { EvaluationFailure } from './EvaluationFailure';
import { LabResult } from './LabResult';
import { assumesOn, lastPopulation } from './labState';
import { PopulationSection } from './PopulationSection';
import type { Lab, Versions } from './useLab';

interface Props {
  lab: Lab;
  versions: Versions;
}

/** Content of the panel: results of the toggle for one context or for many. */
export function LabPanel({ lab, versions }: Props) {
  const hasPopulation = useStore(lastPopulation) !== undefined;
  const [mode, setMode] = useState<Mode>(hasPopulation && Object.keys(lab.context).length === 0 ? 'many' : 'one');
  const isOnAssumed = useStore(assumesOn);
  const { apps = [] } = useUsage(versions.saved.name);
  return (
    <div className="grid gap-4">
      <SegmentedControl label="Number of contexts" value={mode} options={MODES} onChange={setMode} />
      {!versions.saved.enabled && (
        <Checkbox label="As if the toggle were on" checked={isOnAssumed} onChange={assumesOn.set} />
      )}
      {mode === 'one' ? <OneContext lab={lab} versions={versions} /> : <PopulationSection versions={versions} />}
      {lab.problem && <p className="wrap-anywhere text-secondary text-warn">{lab.problem}</p>}
      {hasVariants(versions) && <VariantHashNote apps={apps.map(({ appName }) => appName)} />}
    </div>
  );
}

type Mode = 'one' | 'many';
const MODES: readonly { value: Mode; label: string }[] = [
  { value: 'one', label: 'One context' },
  { value: 'many', label: 'Population' },
];

function hasVariants({ saved, edited }: Versions): boolean {
  const strategies: readonly NewerStrategy[] = [...saved.strategies, ...edited.strategies];
  return [saved, ...strategies].some(({ variants }) => variants && variants.length > 0);
}

function OneContext({ lab, versions }: Props) {
  const { error, isRunning, retry } = lab.evaluation;
  return (
    <>
      <ContextForm context={lab.context} onChange={lab.changeContext} />
      <div role="status" aria-label="Result of the context" aria-busy={isRunning} className="grid gap-2">
        {!error && (lab.saved ? <LabResult {...lab} versions={versions} /> : <Progress label="Evaluating" />)}
      </div>
      {error && <EvaluationFailure error={error} onRetry={retry} />}
    </>
  );
}
