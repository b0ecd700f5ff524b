import { useSettings } from '@/api/settings';
import { sections } from '@/paths';
import { SectionViews } from '@/shared/SectionViews';
import { PageHeader } from '@/ui/PageHeader';
import { AccountList } from './AccountList';
import { SessionList } from './SessionList';
import { SignInBoundary } from './SignInBoundary';

const VIEWS = [{ ...sections.users, label: 'Accounts' }, sections.sessions];

/** The users with an account, for administrators. In front of an upstream, which has the accounts: the sessions. */
export function UsersPage() {
  const settings = useSettings();
  if (settings === undefined) return null;
  if (settings.mode === 'embedded') {
    return (
      <SignInBoundary hasAccounts>
        <AccountList views={<SectionViews label="Views of users" views={VIEWS} />} />
      </SignInBoundary>
    );
  }
  return <SessionsPage />;
}

/** The sessions of all users who sign in at this program, for administrators. */
export function SessionsPage() {
  return (
    <SignInBoundary>
      <PageHeader title={sections.users.label} />
      <SectionViews label="Views of users" views={VIEWS} />
      <SessionList />
    </SignInBoundary>
  );
}
