import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { sessions as sessionsEndpoint, users as usersEndpoint } from '@/api/endpoints';
import type { Account, AccountWithPassword, UserSession } from '@/api/generated/types';
import { usePermission, useProfile } from '@/api/permissions';
import { useRead } from '@/api/useRead';
import { useStore } from '@/lib/store';
import { paths, sections } from '@/paths';
import { CreateLink } from '@/shared/CreateLink';
import { SearchableList } from '@/shared/SearchableList';
import { TextLink } from '@/shared/TextLink';
import { useListSearch } from '@/shared/useListSearch';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { type Column, textColumn } from '@/ui/Column';
import { Dialog } from '@/ui/Dialog';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { MoreIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import { PageHeader } from '@/ui/PageHeader';
import { PlainTable } from '@/ui/PlainTable';
import { Time } from '@/ui/Time';
import { newPasswords } from './newPasswords';
import { OneTimePassword } from './OneTimePassword';
import { describePermissions } from './permissions';
import { type AccountAction, useAccountActions } from './useAccountActions';

/** An account with its sessions, the most recently used first; undefined while they are not known. */
interface Row {
  account: Account;
  sessions: readonly UserSession[] | undefined;
}

/** The users with an account of this program. */
export function AccountList({ views }: { views: ReactNode }) {
  const { data, error, reload } = useRead(usersEndpoint);
  const { data: active } = useRead(sessionsEndpoint);
  const rows = useMemo(() => data && joinSessions(data.users, active?.sessions), [data, active]);
  const search = useListSearch(rows, columns);
  const [created, setCreated] = useState<AccountWithPassword>();
  const { ask, dialog } = useAccountActions(setCreated);
  // Passwords whose page was left are shown until they are copied.
  const [kept] = useStore(newPasswords);
  const shown = created ?? kept;
  const disabledReason = usePermission('ADMIN');
  const isRefused = error?.status === 403;

  function close() {
    // The user may have written it down.
    if (shown) newPasswords.noteCopied(shown.oneTimePassword);
    setCreated(undefined);
  }

  return (
    <>
      <PageHeader
        title={sections.users.label}
        count={rows?.length}
        actions={<CreateLink to={paths.createUser()} permission="ADMIN" noun="user" />}
      />
      {views}
      {isRefused && !data ? (
        <ErrorPanel title="Only administrators can see users" error={error} />
      ) : (
        <SearchableList nouns={['user', 'users']} search={search} error={error} onRetry={reload} always empty={null}>
          {(shown) => (
            <PlainTable
              label={sections.users.label}
              columns={columns}
              rows={shown}
              rowKey={({ account }) => account.username}
              actions={({ account }) => (
                <ActionMenu account={account} disabledReason={disabledReason} onSelect={(action) => void ask(action)} />
              )}
            />
          )}
        </SearchableList>
      )}
      {dialog}
      {shown && (
        <Dialog
          open
          title={`One-time password of ${shown.username}`}
          onClose={close}
          actions={<Button onClick={close}>Done</Button>}
        >
          <OneTimePassword account={shown} />
        </Dialog>
      )}
    </>
  );
}

function joinSessions(accounts: readonly Account[], sessions: readonly UserSession[] | undefined): Row[] {
  const byName = new Map<string, UserSession[]>();
  for (const session of sessions ?? []) {
    const name = session.username?.toLowerCase();
    if (name !== undefined) byName.set(name, [...(byName.get(name) ?? []), session]);
  }
  return accounts.map((account) => ({
    account,
    sessions: sessions && (byName.get(account.username.toLowerCase()) ?? []),
  }));
}

interface ActionMenuProps {
  account: Account;
  disabledReason: string | undefined;
  onSelect: (action: AccountAction) => void;
}

function ActionMenu({ account: { username, isDisabled }, disabledReason, onSelect }: ActionMenuProps) {
  const select = (kind: AccountAction['kind']) => () => onSelect({ kind, username });
  return (
    <Menu
      label={`Actions for ${username}`}
      trigger={{ icon: <MoreIcon size={17} /> }}
      disabledReason={disabledReason}
      items={[
        { id: 'password', label: 'New one-time password', onSelect: select('password') },
        isDisabled
          ? { id: 'enable', label: 'Enable', onSelect: select('enable') }
          : { id: 'disable', label: 'Disable', onSelect: select('disable') },
        { id: 'remove', label: 'Remove', tone: 'danger', onSelect: select('remove') },
      ]}
    />
  );
}

const columns: readonly Column<Row>[] = [
  {
    header: 'User',
    width: '30%',
    cell: ({ account }) => <AccountName account={account} />,
    search: ({ account: { username, name, email } }) => [username, name ?? '', email ?? ''],
  },
  textColumn('Permissions', ({ account }) => describePermissions(account.permissions), { className: 'text-muted' }),
  {
    header: 'Sessions',
    width: '20%',
    className: 'text-muted',
    cell: ({ account, sessions }) => <Sessions account={account} sessions={sessions} />,
  },
];

function AccountName({ account: { username, name, email, isDisabled, oneTimeUntil } }: { account: Account }) {
  const isOwn = useProfile()?.username === username;
  const details = [name, email].filter((text) => text !== null).join(' · ');
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2">
        <Link to={paths.editUser(username)} className="hover:underline">
          {username}
        </Link>
        {isOwn && <Chip tone="accent">You</Chip>}
        {isDisabled && <Chip>Disabled</Chip>}
        {oneTimeUntil !== null && !isDisabled && <Chip tone="warn">One-time password</Chip>}
      </span>
      {details && <span className="block font-normal text-muted text-secondary">{details}</span>}
    </>
  );
}

function Sessions({ account, sessions }: Row) {
  const [latest] = sessions ?? [];
  if (sessions === undefined) return null;
  if (!latest) return 'Not signed in';
  return (
    <span className="sm:grid">
      <TextLink to={`${paths.sessions()}?filter=${encodeURIComponent(account.username)}`}>
        {sessions.length === 1 ? '1 session' : `${sessions.length} sessions`}
      </TextLink>
      <span className="max-sm:before:content-['_·_'/'']">
        last used <Time value={latest.lastUsedAt} />
      </span>
    </span>
  );
}
