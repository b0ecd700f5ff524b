import type { ReactNode } from 'react';
import { useSettings } from '@/api/settings';
import { sections } from '@/paths';
import { SectionViews } from '@/shared/SectionViews';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { UsersIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { AccountList } from './AccountList';
import { SessionList } from './SessionList';

const VIEWS = [{ ...sections.users, label: 'Accounts' }, sections.sessions];

/** The users with an account, for administrators. In front of an upstream, which has the accounts: the sessions. */
export function UsersPage() {
  const settings = useSettings();
  if (settings === undefined) return null;
  if (settings.mode === 'embedded') {
    return (
      <WithSignIn>
        <AccountList views={<SectionViews label="Views of users" views={VIEWS} />} />
      </WithSignIn>
    );
  }
  return <SessionsPage />;
}

/** The sessions of all users who sign in at this program, for administrators. */
export function SessionsPage() {
  return (
    <WithSignIn>
      <PageHeader title={sections.users.label} />
      <SectionViews label="Views of users" views={VIEWS} />
      <SessionList />
    </WithSignIn>
  );
}

/** Shows its content, or the reason why there are no users to manage. */
function WithSignIn({ children }: { children: ReactNode }) {
  const settings = useSettings();
  if (settings === undefined) return null;
  if (settings.sessions) return children;
  return (
    <>
      <PageHeader title={sections.users.label} />
      <Card>
        <EmptyState icon={<UsersIcon size={20} />} title="No users to manage">
          {settings.mode === 'upstream'
            ? `Users sign in at ${settings.upstream}, which manages them.`
            : 'Users sign in without a password. They can be managed with the setting auth = "password" or "oidc".'}
        </EmptyState>
      </Card>
    </>
  );
}
