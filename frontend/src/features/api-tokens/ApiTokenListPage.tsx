import type { ApiToken } from '@/api/generated/types';
import { apiTokenResource } from '@/domain/apiTokens/apiTokens';
import { paths, sections } from '@/paths';
import { EntityListPage } from '@/shared/EntityListPage';
import { type Column, textColumn } from '@/ui/Column';
import { EmptyState } from '@/ui/EmptyState';
import { PermissionIcon } from '@/ui/icons';
import { Time } from '@/ui/Time';
import { EmbeddedOnly } from './EmbeddedOnly';
import { describeScope, isLastClientToken, TOKEN_KINDS } from './rules';
import { NewSecrets } from './TokenSecret';

/** Number of origins, projects and tags before "and n more". */
const MAX_LISTED = 5;

const columns: readonly Column<ApiToken>[] = [
  textColumn('Name', ({ name }) => name, { width: '22%' }),
  textColumn('Kind', kindLabel, { width: '6.5rem', className: 'text-muted' }),
  textColumn('Scope', (token) => describeScope(token).join('; '), {
    className: 'text-muted',
    cell: (token) => <Scope token={token} />,
  }),
  {
    header: 'Created',
    width: '18%',
    className: 'text-muted',
    phoneLabel: 'Created',
    cell: ({ createdAt, createdBy }) => (
      <span>
        <Time value={createdAt} />
        {createdBy && ` by ${createdBy}`}
      </span>
    ),
  },
  {
    header: 'Last used',
    width: '9rem',
    className: 'text-muted',
    phoneLabel: 'Last used',
    cell: ({ lastUsedAt }) => <Time value={lastUsedAt} />,
  },
];

export function ApiTokenListPage() {
  return (
    <EmbeddedOnly>
      <TokenList />
    </EmbeddedOnly>
  );
}

function TokenList() {
  const { items: tokens = [] } = apiTokenResource.useList();
  return (
    <EntityListPage
      resource={apiTokenResource}
      title={sections.apiTokens.label}
      columns={columns}
      nameOf={({ name }) => name}
      create={{ to: paths.createApiToken(), permission: 'CREATE_API_TOKEN' }}
      remove={{
        permission: 'DELETE_API_TOKEN',
        describe: (token) => ({
          name: token.name,
          consequences: (
            <>
              will be revoked: applications that send it are refused within a second. Last used:{' '}
              <Time value={token.lastUsedAt} />.
              {isLastClientToken(token, tokens) &&
                ' It is the last client token: without it, requests of all client libraries are accepted, unless require-client-tokens is set.'}
            </>
          ),
        }),
      }}
      empty={
        <EmptyState icon={<PermissionIcon size={20} />} title="No API tokens">
          Client libraries need no token until the first client token exists, unless require-client-tokens is set.
          Browsers and phones always need a frontend token.
        </EmptyState>
      }
    >
      <NewSecrets />
    </EntityListPage>
  );
}

/** One line for each part; on phones, the parts are in one text. */
function Scope({ token }: { token: ApiToken }) {
  return describeScope(token, MAX_LISTED).map((part) => (
    <span key={part} className="max-sm:not-first:before:content-['_·_'/''] sm:block">
      {part}
    </span>
  ));
}

function kindLabel({ kind }: ApiToken): string | undefined {
  return TOKEN_KINDS.find(({ value }) => value === kind)?.label;
}
