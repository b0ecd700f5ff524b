import type { StrategyDefinition } from '@/api/generated/types';
import { Card } from '@/ui/Card';
import { ParameterTable } from './ParameterTable';
import { ApplicationsLacking, ApplicationsUsing, TogglesUsing } from './StrategyUse';

export function StrategyDetails({ definition: { name, parameters, deprecated } }: { definition: StrategyDefinition }) {
  return (
    <div className="grid gap-6">
      {deprecated && (
        <p className="rounded-control bg-warn-soft px-4 py-3 text-warn">
          Deprecated: it is not offered when a strategy is added to a toggle.
        </p>
      )}
      <ParameterTable parameters={parameters} />
      <div className="grid items-start gap-4 lg:grid-cols-3">
        <Card>
          <TogglesUsing name={name} level={2} />
        </Card>
        <Card>
          <ApplicationsUsing name={name} level={2} />
        </Card>
        <Card>
          <ApplicationsLacking name={name} level={2} />
        </Card>
      </div>
    </div>
  );
}
