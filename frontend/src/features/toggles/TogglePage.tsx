import type { ReactNode } from 'react';
import type { Toggle } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { paths, type ToggleTab, toToggleTab } from '@/paths';
import { useRouteParams } from '@/shared/useRouteParams';
import { EditCapture } from '@/ui/EditCapture';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Progress } from '@/ui/Progress';
import { ArchivedHeader } from './page/ArchivedHeader';
import { ARCHIVED_REASON, GONE_REASON } from './page/lockedReasons';
import { ToggleGoneNotice } from './page/ToggleGoneNotice';
import { type GoneToggle, ToggleHeader } from './page/ToggleHeader';
import { ToggleNotFound } from './page/ToggleNotFound';
import { TogglePanel } from './page/TogglePanel';
import { ArchivedNote, ToggleReadOnlyNote } from './page/ToggleReadOnlyNote';
import { ToggleTabs } from './page/ToggleTabs';
import { useKeptToggle } from './page/useKeptToggle';
import { type ToggleResult, useToggle } from './page/useToggle';
import { UnsupportedServerPage } from './unsupported/UnsupportedServerPage';

/** Page of an active or archived toggle. Both URLs show either, so that links survive archiving and reviving. */
export function TogglePage() {
  const { activeTab, name = '' } = useRouteParams();
  const tab = toToggleTab(activeTab);
  const result = useToggle(name);
  const { kept, discard, keep } = useKeptToggle(name, result);
  const readOnlyReason = usePermission('UPDATE_FEATURE');
  if (kept) {
    const gone = goneToggle(result.state);
    return (
      <LiveToggle
        toggle={kept}
        tab={tab}
        readOnlyReason={gone?.reason ?? readOnlyReason}
        gone={gone}
        onEdit={keep}
        notice={gone && <ToggleGoneNotice toggle={kept} isArchived={result.state === 'archived'} onDiscard={discard} />}
      />
    );
  }
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
          <ArchivedNote />
          <TogglePanel toggle={result.toggle} tab={tab} lockedReason={ARCHIVED_REASON} />
        </>
      );
    case 'unsupported':
      return <UnsupportedServerPage title={name} error={result.error} />;
    case 'live':
      return <LiveToggle toggle={result.toggle} tab={tab} readOnlyReason={readOnlyReason} onEdit={keep} />;
  }
}

function goneToggle(state: ToggleResult['state']): GoneToggle | undefined {
  if (state === 'archived') return { label: 'Archived', reason: ARCHIVED_REASON };
  return state === 'missing' ? { label: 'Deleted', reason: GONE_REASON } : undefined;
}

interface LiveToggleProps {
  toggle: Toggle;
  tab: ToggleTab;
  readOnlyReason: string | undefined;
  gone?: GoneToggle | undefined;
  notice?: ReactNode;
  onEdit: () => void;
}

function LiveToggle({ toggle, tab, readOnlyReason, gone, notice, onEdit }: LiveToggleProps) {
  return (
    <EditCapture onEdit={onEdit}>
      <ToggleHeader toggle={toggle} readOnlyReason={readOnlyReason} gone={gone} />
      {notice}
      <ToggleTabs name={toggle.name} href={paths.toggle} current={tab} />
      {!gone && <ToggleReadOnlyNote />}
      <TogglePanel toggle={toggle} tab={tab} lockedReason={gone?.reason} />
    </EditCapture>
  );
}
