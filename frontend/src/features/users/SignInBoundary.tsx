import type { ReactNode } from 'react';
import { useSettings } from '@/api/settings';
import { sections } from '@/paths';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { UsersIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';

interface Props {
  /** The content needs the accounts of the embedded service. */
  hasAccounts?: boolean;
  children: ReactNode;
}

/** Shows its content, or the reason why there are no users to manage. */
export function SignInBoundary({ hasAccounts = false, children }: Props) {
  const settings = useSettings();
  if (settings === undefined) return null;
  if (settings.sessions && (settings.mode === 'embedded' || !hasAccounts)) return children;
  return (
    <>
      <PageHeader title={sections.users.label} />
      <Card>
        <EmptyState icon={<UsersIcon size={20} />} title="No users to manage">
          {settings.mode === 'upstream'
            ? `${settings.upstream} manages the users. Add them there.`
            : 'Users sign in without a password. They can be managed with the setting auth = "password" or "oidc".'}
        </EmptyState>
      </Card>
    </>
  );
}
