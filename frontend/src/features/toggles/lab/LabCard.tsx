import { useRef } from 'react';
import type { Strategy } from '@/api/generated/types';
import { usePastView } from '@/api/pastView';
import { ContextForm } from '@/domain/evaluation/ContextForm';
import { type ChangeLabContext, toFragment } from '@/domain/evaluation/labContext';
import { VariantHashNote } from '@/domain/evaluation/VariantHashNote';
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
import type { OnRemedy } from './Reasons';
import { getDecidingFields } from './remedies';
import type { Lab, LabMode, ToggleVersions } from './useLab';

const LabResult = lazyDialog(() => import('./LabResult'), 'LabResult');
const PopulationSection = lazyDialog(() => import('./PopulationSection'), 'PopulationSection');

interface Props {
  lab: Lab;
  versions: ToggleVersions;
  /** Edits the strategies, unsaved. Undefined if they are read-only. */
  onRemedy?: OnRemedy | undefined;
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
  { value: 'population', label: 'Compare users' },
];

function hasVariants({ saved, edited }: ToggleVersions): boolean {
  const strategies: readonly Strategy[] = [...saved.strategies, ...edited.strategies];
  return [saved, ...strategies].some(({ variants }) => variants && variants.length > 0);
}

function OneContext({ lab, versions, onRemedy }: Props) {
  const { error, isRunning, retry } = lab.evaluation;
  const result = useRef<HTMLDivElement>(null);
  const applyRemedy: OnRemedy | undefined =
    onRemedy &&
    ((key, remedy) => {
      // The button disappears with its reason.
      result.current?.focus({ preventScroll: true });
      onRemedy(key, remedy);
    });
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
        ref={result}
        role="status"
        aria-label="Result of the context"
        aria-busy={isRunning}
        tabIndex={-1}
        className="grid gap-3 outline-none empty:hidden"
      >
        {lab.isOpen &&
          !error &&
          (lab.saved ? (
            <LabResult
              saved={lab.saved}
              edited={lab.edited}
              strategies={versions.edited.strategies}
              keys={lab.keys}
              onRemedy={applyRemedy}
              loading={<Progress label="Evaluating" />}
            />
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
