import { applications as call } from '@/api/endpoints';
import type { SeenApp } from '@/api/generated/types';
import { paths } from '@/paths';
import { CopyList } from '@/shared/CopyList';
import { toAbsoluteUrl } from '@/shared/CopyMenu';
import { SearchableList } from '@/shared/SearchableList';
import { useListSearch } from '@/shared/useListSearch';
import { PageHeader } from '@/ui/PageHeader';
import { ApplicationTable } from './components/ApplicationTable';
import { ConnectButton } from './components/ConnectButton';
import { MissingTogglesLink } from './components/MissingTogglesLink';
import { NoApplications } from './components/NoApplications';
import { useApplications } from './useApplications';

const textsOf = ({ appName, description, strategies }: SeenApp) => [appName, description, ...(strategies ?? [])];

export function ApplicationListPage() {
  const { applications, error, reload } = useApplications();
  const search = useListSearch(applications, textsOf);
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
                items={search.shown}
                call={call}
                columns={[
                  {
                    header: 'Application',
                    text: ({ appName }) => appName,
                    href: ({ appName }) => toAbsoluteUrl(paths.application(appName)),
                  },
                  { header: 'Description', text: ({ description }) => description },
                  { header: 'Last report', text: ({ updatedAt }) => updatedAt },
                ]}
              />
              <MissingTogglesLink applications={applications} />
              <ConnectButton />
            </>
          )
        }
      />
      <SearchableList
        nouns={['application', 'applications']}
        by="name, description or strategy"
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
