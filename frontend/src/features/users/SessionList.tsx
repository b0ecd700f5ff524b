import { useSyncExternalStore } from 'react';
import { revokeSession, revokeSessionsOf, sessions as sessionsEndpoint } from '@/api/endpoints';
import type { UserSession } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { useWrite } from '@/api/useWrite';
import { pushInfo } from '@/api/notices';
import { usePermission } from '@/api/permissions';
import { clockNow, subscribeClock } from '@/lib/clock';
import { formatDuration, formatExact } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { paths, sections } from '@/paths';
import { SearchableList } from '@/shared/SearchableList';
import { useListSearch } from '@/shared/useListSearch';
import { useOpenNextPage } from '@/shared/useOpenNextPage';
import { Chip } from '@/ui/Chip';
import { type Column, textColumn } from '@/ui/Column';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { MoreIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import { PlainTable } from '@/ui/PlainTable';
import { Time } from '@/ui/Time';
import { useConfirm } from '@/ui/useConfirm';
import { describeRevocation, isSamePerson, METHODS, type Revocation, revokedNotice } from './describeRevocation';

/** The sessions of all users who sign in at this program. */
export function SessionList() {
  const { data, error, reload } = useRead(sessionsEndpoint, { polls: true });
  const search = useListSearch(data?.sessions, columns);
  const { revocation, disabledReason } = useRevocation(data?.sessions ?? []);
  const isRefused = error?.status === 403;
  return (
    <>
      {isRefused && !data ? (
        <ErrorPanel title="Only administrators can see sessions" error={error} />
      ) : (
        <SearchableList
          nouns={['session', 'sessions']}
          search={search}
          error={error}
          onRetry={reload}
          always
          empty={null}
        >
          {(shown) => (
            <div>
              <PlainTable
                label={sections.sessions.label}
                columns={columns}
                rows={shown}
                rowKey={({ id }) => id}
                actions={(session) => (
                  <RevokeMenu
                    session={session}
                    count={search.items?.filter((other) => isSamePerson(session, other)).length ?? 1}
                    disabledReason={disabledReason}
                    onRevoke={(all) => void revocation.ask({ session, all })}
                  />
                )}
              />
              {data?.isComplete === false && (
                <p className="mt-4 text-center text-faint text-secondary">
                  Only the most recently used sessions are shown.
                </p>
              )}
            </div>
          )}
        </SearchableList>
      )}
      {revocation.dialog}
    </>
  );
}

/** Asks before sessions are revoked. Revoking the own session signs out, at the identity provider too. */
function useRevocation(all: readonly UserSession[]) {
  const { send } = useWrite();
  const openNext = useOpenNextPage();
  const options = { inline: true, refreshes: [sessionsEndpoint] };
  const revoke = async ({ session, all: isAll }: Revocation) => {
    const signsOut = isAll ? all.some((other) => other.isOwn && isSamePerson(session, other)) : session.isOwn;
    const isOnlyOwn = session.isOwn && !isAll;
    if (!isOnlyOwn) {
      const response = await send(isAll ? revokeSessionsOf(session) : revokeSession(session.id), options);
      pushInfo(revokedNotice(session.name, response?.revoked ?? 0));
    }
    if (signsOut) void openNext(paths.logout());
  };
  const revocation = useConfirm<Revocation>((question) => ({
    ...describeRevocation(question, all),
    action: () => revoke(question),
  }));
  return { revocation, disabledReason: usePermission('ADMIN') };
}

interface RevokeMenuProps {
  session: UserSession;
  /** Number of sessions of the person. */
  count: number;
  disabledReason: string | undefined;
  onRevoke: (all: boolean) => void;
}

function RevokeMenu({ session, count, disabledReason, onRevoke }: RevokeMenuProps) {
  const { name, isOwn } = session;
  const one = { id: 'one', label: isOwn ? 'Sign out' : 'Revoke session', onSelect: () => onRevoke(false) };
  const all = { id: 'all', label: `Revoke all ${count} sessions of ${name}`, onSelect: () => onRevoke(true) };
  return (
    <Menu
      label={`Actions for the session of ${name}`}
      trigger={{ icon: <MoreIcon size={17} /> }}
      disabledReason={disabledReason}
      items={count > 1 ? [one, all] : [one]}
    />
  );
}

const columns: readonly Column<UserSession>[] = [
  {
    header: 'Person',
    cell: (session) => <PersonName session={session} />,
    search: ({ name, email, username }) => [name, email ?? '', username ?? ''],
  },
  textColumn('Sign-in', ({ method }) => METHODS[method], { width: '12%', className: 'text-muted' }),
  {
    header: 'Browser',
    width: '20%',
    className: 'text-muted',
    cell: ({ client, address }) => (
      <span className="sm:grid">
        <span>{client ?? 'Unknown browser'}</span>
        {address !== null && <span className="max-sm:before:content-['_·_'/''] tabular-nums">{address}</span>}
      </span>
    ),
    search: ({ client }) => client,
  },
  { header: 'Address', search: ({ address }) => address },
  {
    header: 'Signed in',
    width: '12%',
    className: 'text-muted',
    phoneLabel: 'Signed in',
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
  {
    header: 'Last used',
    width: '12%',
    className: 'text-muted',
    phoneLabel: 'Last used',
    cell: ({ lastUsedAt }) => <Time value={lastUsedAt} />,
  },
  {
    header: 'Expires',
    width: '9%',
    className: 'text-muted tabular-nums',
    phoneLabel: 'Expires',
    cell: ({ expiresAt }) => <Expiry value={expiresAt} />,
  },
];

function PersonName({ session: { name, email, username, isOwn } }: { session: UserSession }) {
  const detail = email ?? (username === name ? null : username);
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2">
        {name}
        {isOwn && <Chip tone="accent">This session</Chip>}
      </span>
      {detail !== null && <span className="block font-normal text-muted text-secondary">{detail}</span>}
    </>
  );
}

/** Time until the session ends, with the exact time as a tooltip. */
function Expiry({ value }: { value: string }) {
  const locale = useLocale();
  const at = Date.parse(value);
  const text = useSyncExternalStore(subscribeClock, () => formatDuration(Math.max(0, at - clockNow())));
  return (
    <time dateTime={value} data-tip={formatExact(at, locale)}>
      in {text}
    </time>
  );
}
