import { applications as call } from '@/api/endpoints';
import { CopyList } from '@/shared/CopyList';
import { SearchableList } from '@/shared/SearchableList';
import { useListSearch } from '@/shared/useListSearch';
import { PageHeader } from '@/ui/PageHeader';
import { ApplicationTable, applicationColumns } from './components/ApplicationTable';
import { ConnectButton } from './components/ConnectButton';
import { MissingTogglesLink } from './components/MissingTogglesLink';
import { NoApplications } from './components/NoApplications';
import { useApplications } from './useApplications';

export function ApplicationListPage() {
  const { applications, error, reload } = useApplications();
  const search = useListSearch(applications, applicationColumns);
  return (
    <>
      <PageHeader
        title="Applications"
        count={applications?.length}
        actions={
          applications !== undefined &&
          applications.length > 0 && (
            <>
              <CopyList items={search.shown} call={call} columns={applicationColumns} />
              <MissingTogglesLink applications={applications} />
              <ConnectButton />
            </>
          )
        }
      />
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
