import { type KeyboardEvent, useRef } from 'react';
import type { Strategy } from '@/api/generated/types';
import { usePastView } from '@/api/pastView';
import { ContextForm } from '@/domain/evaluation/ContextForm';
import { type ChangeLabContext, toFragment } from '@/domain/evaluation/labContext';
import { VariantHashNote } from '@/domain/evaluation/VariantHashNote';
import { cx } from '@/lib/cx';
import { isEnter } from '@/lib/keyboard';
import { useStore } from '@/lib/store';
import { inPast, paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Checkbox } from '@/ui/Checkbox';
import { lazyDialog } from '@/ui/lazy';
import { Progress } from '@/ui/Progress';
import { useUsage } from '../page/useToggle';
import { EvaluationFailure } from './EvaluationFailure';
import { assumesOn } from './labState';
import type { OnRemedy } from './Reasons';
import { getDecidingFields } from './remedies';
import type { Lab, ToggleVersions } from './useLab';

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
  const isOne = lab.mode === 'context';
  return (
    <section aria-labelledby="lab-heading">
      <Card>
        <div className="mb-3 flex min-h-6 items-center gap-2">
          <h2 id="lab-heading" className="min-w-0 flex-1 font-semibold text-secondary">
            Who gets it, and why?
          </h2>
          {lab.isOpen && isOne && (
            <Button variant="ghost" size="small" className="-my-1 -mr-2" onClick={lab.close}>
              Clear
            </Button>
          )}
        </div>
        <div className="grid gap-3.5">
          {!versions.saved.enabled && !view && (
            <Checkbox label="As if the toggle were on" checked={isOnAssumed} onChange={assumesOn.set} />
          )}
          {isOne ? (
            <OneContext lab={lab} versions={versions} onRemedy={onRemedy} />
          ) : (
            // Without a population, the panel would select one context.
            <PopulationSection
              versions={versions}
              onRemove={() => lab.setMode('population')}
              loading={<Progress label="Loading" />}
            />
          )}
          <p className="-mt-1 flex flex-wrap gap-x-4 text-secondary">
            <button
              type="button"
              className={cx(LINK, 'text-accent hover:underline')}
              onClick={() => lab.setMode(isOne ? 'population' : 'context')}
            >
              {isOne ? 'Compare users' : 'One context'}
            </button>
            {isOne && lab.isOpen && (
              <TextLink to={inPast(paths.evaluation(), view) + toFragment(lab.context)} tone="accent" className={LINK}>
                All toggles for this context
              </TextLink>
            )}
          </p>
          {lab.problem && <p className="wrap-anywhere text-secondary text-warn">{lab.problem}</p>}
          {lab.isOpen && hasVariants(versions) && <VariantHashNote apps={apps.map(({ appName }) => appName)} />}
        </div>
      </Card>
    </section>
  );
}

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
  /** Enter also evaluates a context without values. */
  function openByEnter({ nativeEvent, target }: KeyboardEvent) {
    if (isEnter(nativeEvent) && target instanceof HTMLInputElement) lab.open();
  }
  const fields = getDecidingFields([...versions.edited.strategies, ...versions.saved.strategies]);
  return (
    <>
      {/* Clearing the context also clears the texts that are not applied yet. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter in any of its fields evaluates. */}
      <div key={lab.clearings} className="contents" onKeyDown={openByEnter}>
        <ContextForm context={lab.context} deciding={fields.length > 0 ? fields : ['userId']} onChange={change} />
      </div>
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
    </>
  );
}

const LINK = 'inline-flex items-center touch:min-h-touch';
