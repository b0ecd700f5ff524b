import type { ReactNode } from 'react';
import type { Toggle } from '@/api/generated/types';
import { useDisabledReason } from '@/api/permissions';
import { paths, type ToggleTab, toToggleTab } from '@/paths';
import { useAddressParams } from '@/shared/useAddressParams';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Progress } from '@/ui/Progress';
import { ArchivedHeader } from './components/ArchivedHeader';
import { ToggleGoneNotice } from './components/ToggleGoneNotice';
import { ToggleHeader } from './components/ToggleHeader';
import { ToggleMissing } from './components/ToggleMissing';
import { TogglePanel } from './components/TogglePanel';
import { ToggleTabs } from './components/ToggleTabs';
import { UnfitPage } from './components/UnfitPage';
import { archived, gone } from './permissions';
import { useKeptToggle } from './useKeptToggle';
import { useToggle } from './useToggle';

/** At both of its addresses: an old link to a toggle that has been archived since, or revived, still leads to it. */
export function TogglePage() {
  const { activeTab, name = '' } = useAddressParams();
  const tab = toToggleTab(activeTab);
  const found = useToggle(name);
  const { kept, discard } = useKeptToggle(name, found);
  const readOnly = useDisabledReason('UPDATE_FEATURE');
  if (kept) {
    const isArchived = found.state === 'archived';
    const goneReason = isArchived ? archived : gone;
    return (
      <LiveToggle
        toggle={kept}
        tab={tab}
        readOnly={found.state === 'loading' ? readOnly : goneReason}
        notice={
          found.state !== 'loading' && <ToggleGoneNotice toggle={kept} isArchived={isArchived} onDiscard={discard} />
        }
      />
    );
  }
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
      return <LiveToggle toggle={found.toggle} tab={tab} readOnly={readOnly} />;
  }
}

interface LiveToggleProps {
  toggle: Toggle;
  tab: ToggleTab;
  readOnly: string | undefined;
  notice?: ReactNode;
}

function LiveToggle({ toggle, tab, readOnly, notice }: LiveToggleProps) {
  return (
    <>
      <ToggleHeader toggle={toggle} readOnly={readOnly} />
      {notice}
      <ToggleTabs name={toggle.name} address={paths.toggle} current={tab} />
      <TogglePanel toggle={toggle} tab={tab} readOnly={readOnly} />
    </>
  );
}
