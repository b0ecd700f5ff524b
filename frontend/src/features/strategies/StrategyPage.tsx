import type { StrategyDefinition } from '@/api/generated/types';
import { toStrategyTab } from '@/paths';
import { useAddressParams } from '@/shared/useAddressParams';
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
  const { activeTab, name = '' } = useAddressParams();
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
        <>
          <StrategyHeader definition={found.definition} />
          <Panel key={name} definition={found.definition} edits={tab === 'edit'} />
        </>
      );
  }
}

/** Only who may edit has a choice of tabs. */
function Panel({ definition, edits }: { definition: StrategyDefinition; edits: boolean }) {
  const { edit: whyNot } = useStrategyDisabledReasons(definition);
  if (whyNot === undefined) {
    return (
      <>
        <StrategyTabs name={definition.name} current={edits ? 'edit' : 'view'} />
        {edits ? <StrategyEdit definition={definition} /> : <StrategyDetails definition={definition} />}
      </>
    );
  }
  return (
    <>
      {edits && (
        <div className="mb-5">
          <ReadOnlyNote reason={whyNot} />
        </div>
      )}
      <StrategyDetails definition={definition} />
    </>
  );
}
