import { useState } from 'react';
import type { StrategyDefinition } from '@/api/generated/types';
import { paths } from '@/paths';
import { Form } from '@/shared/Form';
import { Card } from '@/ui/Card';
import { LatestUntilEdited } from '@/ui/LatestUntilEdited';
import { removedParameters } from '../definition';
import { useDefinitionConflict } from '../useDefinitionConflict';
import { useStrategyEdit } from '../useStrategyEdit';
import { DefinitionFields } from './DefinitionFields';
import { StrategyUsage } from './StrategyUsage';

/** Restarts the form with another version of the definition. */
interface EditStart {
  number: number;
  base: StrategyDefinition;
}

export function StrategyEdit({ definition }: { definition: StrategyDefinition }) {
  const [restarted, restart] = useState<EditStart>();
  const { number, base } = restarted ?? { number: 0, base: definition };
  return (
    <LatestUntilEdited key={number} item={base}>
      {(latest) => <EditForm base={latest} onTheirs={(stored) => restart({ number: number + 1, base: stored })} />}
    </LatestUntilEdited>
  );
}

interface Props {
  base: StrategyDefinition;
  onTheirs: (stored: StrategyDefinition) => void;
}

function EditForm({ base, onTheirs }: Props) {
  const { resolveConflict, conflictDialog } = useDefinitionConflict();
  const form = useStrategyEdit({ base, resolveConflict, onTheirs });
  const removed = removedParameters(base, form.input);
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_300px]">
      <Form form={form} submitLabel="Save" permission="UPDATE_STRATEGY" cancel={paths.strategy(base.name)}>
        <p role="note" className="rounded-control bg-warn-soft px-4 py-3 text-warn">
          Be carefull! Changing a strategy definition might also require changes to the implementation in the clients.
        </p>
        <DefinitionFields input={form.input} errors={form.errors} isNameReadOnly onChange={form.setInput} />
        {removed.length > 0 && (
          <p role="status" className="wrap-anywhere text-secondary text-warn">
            Removed: {removed.join(', ')}. Toggles keep their values, but the values can no longer be edited here.
          </p>
        )}
      </Form>
      <aside aria-label="Usage" className="min-w-0 content-start">
        <Card>
          <StrategyUsage name={base.name} level={2} />
        </Card>
      </aside>
      {conflictDialog}
    </div>
  );
}
