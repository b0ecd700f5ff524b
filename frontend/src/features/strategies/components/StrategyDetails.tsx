import type { StrategyDefinition } from '@/api/generated/types';
import { ParameterTable } from './ParameterTable';
import { StrategyUsageCards } from './StrategyUsage';

export function StrategyDetails({ definition: { name, parameters, deprecated } }: { definition: StrategyDefinition }) {
  return (
    <div className="grid gap-6">
      {deprecated && (
        <p className="rounded-control bg-warn-soft px-4 py-3 text-warn">
          Deprecated: it can no longer be added to toggles.
        </p>
      )}
      <ParameterTable parameters={parameters} />
      <StrategyUsageCards name={name} isDefined />
    </div>
  );
}
