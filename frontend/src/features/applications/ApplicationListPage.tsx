import { SearchableList } from '@/shared/SearchableList';
import { useListSearch } from '@/shared/useListSearch';
import { PageHeader } from '@/ui/PageHeader';
import { ApplicationListActions } from './components/ApplicationListActions';
import { ApplicationTable, applicationColumns } from './components/ApplicationTable';
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
          applications.length > 0 && <ApplicationListActions applications={applications} shown={search.shown} />
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
