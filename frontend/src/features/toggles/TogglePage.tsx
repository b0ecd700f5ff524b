import { useDisabledReason } from '@/api/permissions';
import { paths, toToggleTab } from '@/paths';
import { useRouteParams } from '@/shared/useRouteParams';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Progress } from '@/ui/Progress';
import { ArchivedHeader } from './components/ArchivedHeader';
import { ToggleHeader } from './components/ToggleHeader';
import { ToggleMissing } from './components/ToggleMissing';
import { TogglePanel } from './components/TogglePanel';
import { ToggleTabs } from './components/ToggleTabs';
import { UnfitPage } from './components/UnfitPage';
import { archived } from './permissions';
import { useToggle } from './useToggle';

/** At both of its addresses: an old link to a toggle that has been archived since, or revived, still leads to it. */
export function TogglePage() {
  const { activeTab, name = '' } = useRouteParams();
  const tab = toToggleTab(activeTab);
  const found = useToggle(name);
  const readOnly = useDisabledReason('UPDATE_FEATURE');
  switch (found.state) {
    case 'loading':
      return <Progress label="Loading the toggle" />;
    case 'failed':
      return <ErrorPanel title="The toggle could not be loaded" error={found.error} onRetry={found.reload} />;
    case 'missing':
      return <ToggleMissing name={name} />;
    case 'archived':
      return (
        <>
          <ArchivedHeader toggle={found.toggle} />
          <ToggleTabs name={name} address={paths.archivedToggle} current={tab} />
          <TogglePanel toggle={found.toggle} tab={tab} readOnly={archived} />
        </>
      );
    case 'unfit':
      return <UnfitPage title={name} error={found.error} />;
    case 'live':
      return (
        <>
          <ToggleHeader toggle={found.toggle} readOnly={readOnly} />
          <ToggleTabs name={name} address={paths.toggle} current={tab} />
          <TogglePanel toggle={found.toggle} tab={tab} readOnly={readOnly} />
        </>
      );
  }
}
