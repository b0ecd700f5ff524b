import { features } from '@/api/endpoints';
import { useRead } from '@/api/useRead';
import { useToggleList } from '@/api/toggles';
import { cx } from '@/lib/cx';
import { paths } from '@/paths';
import { type CountEndpoint, menuEntries } from '@/routes';
import { Count } from '@/ui/Count';
import { SignOutIcon } from '@/ui/icons';
import { MenuLink } from './MenuLink';
import { useOffered } from './useOffered';

/** The main menu: all sections, and Sign out. */
export function SideMenu({ signOut }: { signOut: boolean }) {
  return (
    <nav aria-label="Main" className="flex flex-1 flex-col gap-1 p-2">
      {useOffered(menuEntries).map((entry) => (
        <MenuLink key={entry.path} entry={entry} className={ENTRY}>
          <entry.icon size={17} />
          <span className="flex-1 truncate">{entry.label}</span>
          {entry.counted && <MenuCount endpoint={entry.counted} after={entry.countedAfter} />}
        </MenuLink>
      ))}
      <span className="flex-1" />
      {signOut && (
        <MenuLink entry={{ path: paths.logout() }} className={ENTRY}>
          <SignOutIcon size={17} />
          Sign out
        </MenuLink>
      )}
    </nav>
  );
}

function MenuCount({ endpoint, after }: { endpoint: CountEndpoint; after: CountEndpoint | undefined }) {
  const toggles = useToggleList().data;
  const isToggleList = endpoint.path === features.path;
  const others = useRead(isToggleList || (after && !toggles) ? null : endpoint).data;
  const data = isToggleList ? toggles : others;
  // Optional chaining, because the frame must render even if a server sends something else.
  const count = data?.features?.length;
  return count === undefined ? null : (
    <span className="font-medium text-label text-muted tabular-nums">
      <Count value={count} />
    </span>
  );
}

const ENTRY = cx(
  'flex h-control shrink-0 items-center gap-2 rounded-control px-2.5 font-medium transition-colors duration-120 touch:h-touch',
  'text-muted hover:bg-sunken hover:text-text aria-[current]:forced-selected aria-[current]:bg-accent-soft aria-[current]:text-accent',
);
