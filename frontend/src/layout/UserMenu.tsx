import { LogOut } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { useProfile } from '@/api/permissions';
import { mayLeave } from '@/lib/leaveGuard';
import { initials } from '@/lib/profile';
import { paths } from '@/paths';
import { Menu } from '@/ui/Menu';

/** Who is signed in, drawn here: a picture from elsewhere would be a request to elsewhere. */
export function UserMenu({ signOut }: { signOut: boolean }) {
  // Known from the first moment: whoever signs in again while a form is open is told from somebody else by it.
  const profile = useProfile();
  const navigate = useNavigate();
  if (!profile) return null;
  if (!signOut) {
    return (
      <span role="img" aria-label={profile.name} title={profile.name} className="inline-flex">
        <Initials name={profile.name} />
      </span>
    );
  }
  return (
    <Menu
      label={profile.name}
      trigger={{ icon: <Initials name={profile.name} /> }}
      items={[
        {
          id: 'sign-out',
          label: 'Sign out',
          icon: <LogOut size={16} strokeWidth={1.75} aria-hidden="true" />,
          onSelect: () => {
            if (mayLeave()) void navigate(paths.logout());
          },
        },
      ]}
    />
  );
}

function Initials({ name }: { name: string }) {
  return (
    <span
      aria-hidden="true"
      className="inline-flex size-[30px] items-center justify-center rounded-full bg-avatar font-bold text-[11px] text-on-avatar"
    >
      {initials(name)}
    </span>
  );
}
