import { Waypoints } from 'lucide-react';
import { strategies } from '@/api/endpoints';
import type { StrategyDefinition } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { formatYesNo } from '@/lib/copyFormats';
import { paths } from '@/paths';
import { CopyList } from '@/shared/CopyList';
import { toAbsoluteUrl } from '@/shared/CopyMenu';
import { CreateLink } from '@/shared/CreateLink';
import { SearchableList } from '@/shared/SearchableList';
import { useListSearch } from '@/shared/useListSearch';
import { EmptyState } from '@/ui/EmptyState';
import { PageHeader } from '@/ui/PageHeader';
import { StrategyTable } from './components/StrategyTable';

const textsOf = ({ name, description, parameters }: StrategyDefinition) => [
  name,
  description,
  ...parameters.map((parameter) => parameter.name),
];

export function StrategyListPage() {
  const { data, error, reload } = useRead(strategies, { handlesFailure: true });
  const search = useListSearch(data?.strategies, textsOf);
  return (
    <>
      <PageHeader
        title="Strategies"
        count={data?.strategies.length}
        actions={
          <>
            <CopyList
              items={search.shown}
              call={strategies}
              columns={[
                {
                  header: 'Strategy',
                  text: ({ name }) => name,
                  href: ({ name }) => toAbsoluteUrl(paths.strategy(name)),
                },
                { header: 'Description', text: ({ description }) => description },
                { header: 'Parameters', text: ({ parameters }) => parameters.map(({ name }) => name).join(', ') },
                { header: 'Deprecated', text: ({ deprecated = false }) => formatYesNo(deprecated) },
              ]}
            />
            <CreateLink to={paths.createStrategy()} permission="CREATE_STRATEGY" noun="strategy" />
          </>
        }
      />
      <SearchableList
        nouns={['strategy', 'strategies']}
        by="name, description or parameter"
        search={search}
        error={error}
        onRetry={reload}
        empty={
          <EmptyState icon={<Waypoints size={20} strokeWidth={1.75} aria-hidden="true" />} title="No strategies">
            A strategy decides who gets a feature. Create one that your applications implement to use it on toggles.
          </EmptyState>
        }
      >
        {(shown) => <StrategyTable definitions={shown} />}
      </SearchableList>
    </>
  );
}
