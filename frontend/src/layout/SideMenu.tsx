import { NavLink } from 'react-router-dom';
import { useRead } from '@/api/hooks';
import { cx } from '@/lib/cx';
import { paths } from '@/paths';
import { type CountEndpoint, menuEntries } from '@/routes';
import { Count } from '@/ui/Count';
import { type IconComponent, SignOutIcon } from '@/ui/icons';

/** The main menu: all sections, and Sign out. */
export function SideMenu({ signOut }: { signOut: boolean }) {
  return (
    <nav aria-label="Main" className="flex flex-1 flex-col gap-1 p-2">
      {menuEntries.map((entry) => (
        <MenuLink key={entry.path} to={entry.path} label={entry.label} Icon={entry.icon}>
          {entry.counted && <MenuCount endpoint={entry.counted} after={entry.countedAfter} />}
        </MenuLink>
      ))}
      <span className="flex-1" />
      {signOut && <MenuLink to={paths.logout()} label="Sign out" Icon={SignOutIcon} />}
    </nav>
  );
}

function MenuLink(props: { to: string; label: string; Icon: IconComponent; children?: React.ReactNode }) {
  const { to, label, Icon, children } = props;
  return (
    <NavLink
      to={to}
      className={({ isActive }) =>
        cx(ENTRY, isActive ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-sunken hover:text-text')
      }
    >
      <Icon size={17} />
      <span className="flex-1 truncate">{label}</span>
      {children}
    </NavLink>
  );
}

function MenuCount({ endpoint, after }: { endpoint: CountEndpoint; after: CountEndpoint | undefined }) {
  const first = useRead(after ?? null);
  const { data } = useRead(after && !first.data ? null : endpoint);
  // Optional chaining, because the frame must render even if a server sends something else.
  const count = data?.features?.length;
  return count === undefined ? null : (
    <span className="font-medium text-label text-muted tabular-nums">
      <Count value={count} />
    </span>
  );
}

const ENTRY = cx(
  'flex h-control shrink-0 items-center gap-2 rounded-control px-2.5 font-medium',
  'transition-colors duration-120 touch:h-touch',
);
