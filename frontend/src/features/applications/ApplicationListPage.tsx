import { applications as call } from '@/api/endpoints';
import { useSearch } from '@/lib/useSearch';
import { paths } from '@/paths';
import { CopyList } from '@/shared/CopyList';
import { fullAddress } from '@/shared/CopyMenu';
import { ListBody } from '@/ui/ListBody';
import { NothingFound } from '@/ui/NothingFound';
import { PageHeader } from '@/ui/PageHeader';
import { SearchField } from '@/ui/SearchField';
import { ApplicationTable } from './components/ApplicationTable';
import { ConnectButton } from './components/ConnectButton';
import { MissingLink } from './components/MissingLink';
import { NoApplications } from './components/NoApplications';
import { useApplicationRows } from './useApplicationRows';
import { useApplications } from './useApplications';

export function ApplicationListPage() {
  const { applications, error, reload } = useApplications();
  const { rows, filter, setFilter } = useApplicationRows(applications);
  const search = useSearch(filter, setFilter);
  return (
    <>
      <PageHeader
        title="Applications"
        count={applications?.length}
        actions={
          applications !== undefined &&
          applications.length > 0 && (
            <>
              <CopyList
                items={rows}
                call={call}
                columns={[
                  {
                    head: 'Application',
                    text: ({ appName }) => appName,
                    address: ({ appName }) => fullAddress(paths.application(appName)),
                  },
                  { head: 'Description', text: ({ description }) => description },
                  { head: 'Last report', text: ({ updatedAt }) => updatedAt },
                ]}
              />
              <MissingLink applications={applications} />
              <ConnectButton />
            </>
          )
        }
      />
      <ListBody noun="applications" items={applications} error={error} onRetry={reload} empty={<NoApplications />}>
        {(all) => (
          <div className="grid gap-3">
            <search className="flex">
              <SearchField
                label="Filter applications"
                placeholder="Filter by name, description, strategy…"
                shortcutHint="/"
                {...search}
              />
            </search>
            {rows.length === 0 ? (
              <NothingFound noun="application" total={all.length} onClear={() => setFilter('')} />
            ) : (
              <ApplicationTable applications={rows} />
            )}
          </div>
        )}
      </ListBody>
    </>
  );
}
