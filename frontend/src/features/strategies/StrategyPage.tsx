import type { StrategyDefinition } from '@/api/generated/types';
import { toStrategyTab } from '@/paths';
import { useRouteParams } from '@/shared/useRouteParams';
import { EditCapture } from '@/ui/EditCapture';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Progress } from '@/ui/Progress';
import { ReadOnlyNote } from '@/ui/ReadOnlyNote';
import { StrategyDetails } from './components/StrategyDetails';
import { StrategyEdit } from './components/StrategyEdit';
import { StrategyHeader } from './components/StrategyHeader';
import { StrategyNotFound } from './components/StrategyNotFound';
import { StrategyTabs } from './components/StrategyTabs';
import { useStrategy } from './useStrategies';
import { useStrategyDisabledReasons } from './useStrategyDisabledReasons';

export function StrategyPage() {
  const { activeTab, name = '' } = useRouteParams();
  const tab = toStrategyTab(activeTab);
  const found = useStrategy(name, tab === 'edit');
  switch (found.state) {
    case 'loading':
      return (
        <>
          <Progress label="Loading the strategy" />
          <p className="mt-4 text-muted">Loading definition...</p>
        </>
      );
    case 'failed':
      return <ErrorPanel title="The strategy could not be loaded" error={found.error} onRetry={found.reload} />;
    case 'missing':
      return <StrategyNotFound name={name} />;
    case 'known':
      return (
        <EditCapture onEdit={found.keep}>
          <StrategyHeader definition={found.definition} />
          <Panel key={name} definition={found.definition} isEditTab={tab === 'edit'} />
        </EditCapture>
      );
  }
}

/** Shows the tabs only to users who can edit the strategy. */
function Panel({ definition, isEditTab }: { definition: StrategyDefinition; isEditTab: boolean }) {
  const { edit: readOnlyReason } = useStrategyDisabledReasons(definition);
  if (readOnlyReason === undefined) {
    return (
      <>
        <StrategyTabs name={definition.name} current={isEditTab ? 'edit' : 'view'} />
        {isEditTab ? <StrategyEdit definition={definition} /> : <StrategyDetails definition={definition} />}
      </>
    );
  }
  return (
    <>
      {isEditTab && (
        <div className="mb-5">
          <ReadOnlyNote reason={readOnlyReason} />
        </div>
      )}
      <StrategyDetails definition={definition} />
    </>
  );
}
