import { useParams } from 'react-router-dom';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Progress } from '@/ui/Progress';
import { Activation } from './components/Activation';
import { ArchivedToggle } from './components/ArchivedToggle';
import { Metrics } from './components/Metrics';
import { ToggleHeader } from './components/ToggleHeader';
import { ToggleMissing } from './components/ToggleMissing';
import { ToggleTabs } from './components/ToggleTabs';
import { useToggle } from './useToggle';

export function TogglePage() {
  const { activeTab, name = '' } = useParams();
  const found = useToggle(name);
  switch (found.state) {
    case 'loading':
      return <Progress label="Loading the toggle" />;
    case 'failed':
      return <ErrorPanel title="The toggle could not be loaded" error={found.error} onRetry={found.reload} />;
    case 'missing':
      return <ToggleMissing name={name} />;
    case 'archived':
      return <ArchivedToggle toggle={found.toggle} />;
    case 'live':
      return (
        <>
          <ToggleHeader toggle={found.toggle} />
          <ToggleTabs name={name} />
          {activeTab === 'view' ? <Metrics toggle={found.toggle} /> : <Activation toggle={found.toggle} />}
        </>
      );
  }
}
