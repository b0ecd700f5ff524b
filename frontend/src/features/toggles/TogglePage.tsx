import { useDisabledReason } from '@/api/permissions';
import { paths, toToggleTab } from '@/paths';
import { useRouteParams } from '@/shared/useRouteParams';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Progress } from '@/ui/Progress';
import { ARCHIVED_REASON } from './archivedReason';
import { ArchivedHeader } from './components/ArchivedHeader';
import { ToggleHeader } from './components/ToggleHeader';
import { ToggleNotFound } from './components/ToggleNotFound';
import { TogglePanel } from './components/TogglePanel';
import { ToggleTabs } from './components/ToggleTabs';
import { UnsupportedServerPage } from './components/UnsupportedServerPage';
import { useToggle } from './useToggle';

/** Page of an active or archived toggle. Both URLs show either, so that links survive archiving and reviving. */
export function TogglePage() {
  const { activeTab, name = '' } = useRouteParams();
  const tab = toToggleTab(activeTab);
  const result = useToggle(name);
  const readOnlyReason = useDisabledReason('UPDATE_FEATURE');
  switch (result.state) {
    case 'loading':
      return <Progress label="Loading the toggle" />;
    case 'failed':
      return <ErrorPanel title="The toggle could not be loaded" error={result.error} onRetry={result.reload} />;
    case 'missing':
      return <ToggleNotFound name={name} />;
    case 'archived':
      return (
        <>
          <ArchivedHeader toggle={result.toggle} />
          <ToggleTabs name={name} href={paths.archivedToggle} current={tab} />
          <TogglePanel toggle={result.toggle} tab={tab} readOnlyReason={ARCHIVED_REASON} />
        </>
      );
    case 'unsupported':
      return <UnsupportedServerPage title={name} error={result.error} />;
    case 'live':
      return (
        <>
          <ToggleHeader toggle={result.toggle} readOnlyReason={readOnlyReason} />
          <ToggleTabs name={name} href={paths.toggle} current={tab} />
          <TogglePanel toggle={result.toggle} tab={tab} readOnlyReason={readOnlyReason} />
        </>
      );
  }
}
