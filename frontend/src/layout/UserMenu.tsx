import { useNavigate } from 'react-router-dom';
import { useProfile } from '@/api/permissions';
import { confirmLeave } from '@/lib/leaveGuard';
import { paths } from '@/paths';
import { SignOutIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import { Avatar } from './Avatar';

/** The signed-in user, with the command to sign out. */
export function UserMenu({ signOut }: { signOut: boolean }) {
  // Loaded on every page: after a new sign-in, it shows whether the same user continues with an open form.
  const profile = useProfile();
  const navigate = useNavigate();
  if (!profile) return null;
  if (!signOut) {
    return (
      <span role="img" aria-label={profile.name} title={profile.name} className="inline-flex">
        <Avatar profile={profile} />
      </span>
    );
  }
  return (
    <Menu
      label={profile.name}
      trigger={{ icon: <Avatar profile={profile} /> }}
      items={[
        {
          id: 'sign-out',
          label: 'Sign out',
          icon: <SignOutIcon />,
          onSelect: () => void confirmLeave().then((isConfirmed) => isConfirmed && navigate(paths.logout())),
        },
      ]}
    />
  );
}
