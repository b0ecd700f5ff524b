import { useState } from 'react';
import { useStore } from '@/lib/store';
import { Button } from '@/ui/Button';
import { Count } from '@/ui/Count';
import { lastPopulation } from './labState';
import { PopulationDialog } from './PopulationDialog';
import { PopulationResult } from './PopulationResult';
import type { Versions } from './useLab';

/** Results of the toggle for many contexts. */
export function PopulationSection({ versions, onRemove }: { versions: Versions; onRemove: () => void }) {
  const population = useStore(lastPopulation);
  const [isAdding, setAdding] = useState(false);
  const remove = () => {
    onRemove();
    lastPopulation.set(undefined);
  };
  return (
    <>
      <p className="wrap-anywhere text-muted text-secondary">
        {population ? (
          <>
            <Count value={population.contexts.length} noun="context" />: {population.fields.join(', ')}
          </>
        ) : (
          'Count the results for a list of users or a CSV.'
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => setAdding(true)}>
          {population ? 'Replace population' : 'Add population'}
        </Button>
        {population && (
          <Button size="small" variant="ghost" onClick={remove}>
            Remove
          </Button>
        )}
      </div>
      {population && <PopulationResult key={population.number} versions={versions} />}
      <PopulationDialog open={isAdding} onClose={() => setAdding(false)} />
    </>
  );
}
