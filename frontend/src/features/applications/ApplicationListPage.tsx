import { useState } from 'react';
import type { Instance, SeenApp } from '@/api/generated/types';
import { ConnectDialog } from '@/domain/connect/ConnectDialog';
import { ConnectGuide } from '@/domain/connect/ConnectGuide';
import { joinFirst, MAX_TEXT_LENGTH, truncate } from '@/lib/text';
import { paths, sections } from '@/paths';
import { CopyList, copyListActions } from '@/shared/CopyList';
import { useOpenPage } from '@/shared/navigation';
import { SearchableList } from '@/shared/SearchableList';
import { TextLink } from '@/shared/TextLink';
import { useListSearch } from '@/shared/useListSearch';
import { Button } from '@/ui/Button';
import { type Column, textColumn } from '@/ui/Column';
import { Count } from '@/ui/Count';
import { EmptyState } from '@/ui/EmptyState';
import { ApplicationIcon, ConnectIcon, NotFoundIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { PlainTable } from '@/ui/PlainTable';
import { SecondaryActions } from '@/ui/SecondaryActions';
import { Time } from '@/ui/Time';
import { AppIcon } from './AppIcon';
import { ApplicationViews } from './ApplicationViews';
import { useApplications } from './useApplications';
import { getReadable, useApplicationDetails, useMissingItems } from './useMissingItems';

export function ApplicationListPage() {
  const { applications, error, reload } = useApplications();
  const search = useListSearch(applications, applicationColumns);
  return (
    <>
      <PageHeader
        title="Applications"
        count={applications?.length}
        actions={
          applications !== undefined && applications.length > 0 && <ApplicationListActions shown={search.shown} />
        }
      />
      <ApplicationViews missing={useMissingItems(applications && getReadable(applications)).missing} />
      <SearchableList
        nouns={['application', 'applications']}
        search={search}
        always
        error={error}
        onRetry={reload}
        empty={<NoApplications />}
      >
        {(shown) => <ApplicationTable applications={shown} />}
      </SearchableList>
    </>
  );
}

const MISSING = sections.missingToggles;

interface ApplicationListActionsProps {
  /** The applications that match the search. */
  shown: readonly SeenApp[] | undefined;
}

/** Copies the list, and opens the guide to connect another application. */
function ApplicationListActions({ shown }: ApplicationListActionsProps) {
  const open = useOpenPage();
  const [isConnecting, setConnecting] = useState(false);
  const connect = () => setConnecting(true);
  const close = () => setConnecting(false);
  const copied = { items: shown };
  const items = [
    { id: 'connect', label: 'Connect', icon: <ConnectIcon />, onSelect: connect },
    { id: 'missing', label: MISSING.label, icon: <NotFoundIcon />, onSelect: () => void open(MISSING.path) },
    ...copyListActions(copied),
  ];
  return (
    <>
      <SecondaryActions items={items} menu={<CopyList {...copied} />}>
        <Button icon={<ConnectIcon />} onClick={connect}>
          Connect
        </Button>
      </SecondaryActions>
      <ConnectDialog open={isConnecting} onClose={close} />
    </>
  );
}

function NoApplications() {
  return (
    <>
      <EmptyState icon={<ApplicationIcon size={20} />} title="No applications">
        Connect a client SDK. An application is listed here with its toggles shortly after it first requests them.
      </EmptyState>
      <div className="mx-auto -mt-6 max-w-160 px-2 pb-8">
        <ConnectGuide />
      </div>
    </>
  );
}

const DESCRIPTION_LENGTH = 60;

const applicationColumns: readonly Column<SeenApp>[] = [
  textColumn('Name', ({ appName }) => appName, {
    width: '26%',
    cell: (application) => <Name application={application} />,
  }),
  textColumn('Description', ({ description }) => description, {
    className: 'text-muted',
    cell: ({ description }) => description && <Description text={description} />,
  }),
  { header: 'Usage', width: '30%', className: 'text-muted', cell: ({ appName }) => <Usage name={appName} /> },
  { header: 'Strategy', search: ({ strategies }) => strategies ?? [] },
  {
    header: 'Last report',
    width: '8rem',
    className: 'whitespace-nowrap text-muted',
    phoneLabel: 'Last report',
    cell: ({ updatedAt, createdAt }) => <Time value={updatedAt ?? createdAt} />,
  },
];

function ApplicationTable({ applications }: { applications: readonly SeenApp[] }) {
  const open = useOpenPage();
  return (
    <PlainTable
      label="Applications"
      columns={applicationColumns}
      rows={applications}
      rowKey={({ appName }) => appName}
      onEdit={({ appName }) => void open(paths.application(appName, 'edit'))}
    />
  );
}

/** Link to the application. A tooltip shows truncated texts. */
function Name({ application: { appName, icon, description } }: { application: SeenApp }) {
  const isCut = appName.length > MAX_TEXT_LENGTH;
  const cut = [isCut && appName, (description ?? '').length > DESCRIPTION_LENGTH && description].filter(Boolean);
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <AppIcon name={icon} />
      <TextLink
        to={paths.application(appName)}
        aria-label={isCut ? appName : undefined}
        data-reason={cut.length > 0 ? cut.join(' — ') : undefined}
        className="min-w-0"
      >
        {truncate(appName)}
      </TextLink>
    </span>
  );
}

/** What an application uses and is: its toggles, its instances, and the SDK of the newest instance. */
function Usage({ name }: { name: string }) {
  const application = useApplicationDetails().get(name);
  if (!application) return null;
  const { seenToggles, instances } = application;
  const sdks = [...new Set(instances.toSorted(byLastSeen).flatMap(({ sdkVersion }) => sdkVersion ?? []))];
  return (
    <span className="wrap-anywhere">
      <span className="whitespace-nowrap">
        <Count value={seenToggles.length} noun="toggle" />
      </span>
      {' · '}
      <span className="whitespace-nowrap">
        <Count value={instances.length} noun="instance" />
      </span>
      {sdks.length > 0 && ` · ${joinFirst(sdks.map(formatSdk), 1)}`}
    </span>
  );
}

const byLastSeen = (a: Instance, b: Instance) => Date.parse(b.lastSeen) - Date.parse(a.lastSeen);

/** Formats the name and version of an SDK: `unleash-client-node:3.18.1` is `node 3.18.1`. */
function formatSdk(sdk: string): string {
  return sdk.replace(/^unleash-client-/u, '').replace(':', '\u00a0');
}

function Description({ text }: { text: string }) {
  return (
    <span data-reason={text.length > DESCRIPTION_LENGTH ? text : undefined}>{truncate(text, DESCRIPTION_LENGTH)}</span>
  );
}
