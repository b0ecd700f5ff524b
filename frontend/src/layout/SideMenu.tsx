import { useId } from 'react';
import { useLocation } from 'react-router-dom';
import { features } from '@/api/endpoints';
import { useRead } from '@/api/useRead';
import { useToggleList } from '@/api/toggles';
import { cx } from '@/lib/cx';
import { readSettings, writeSettings } from '@/lib/localSettings';
import { createStore, useStore } from '@/lib/store';
import { paths } from '@/paths';
import { type CountEndpoint, type MenuEntry, type MenuGroup, menuEntries } from '@/routes';
import { useOffered } from '@/shared/useOffered';
import { Count } from '@/ui/Count';
import { ChevronDownIcon, SignOutIcon } from '@/ui/icons';
import { isWithin, MenuLink } from './MenuLink';

const SETTINGS = 'menu';

/** Whether the group *Set up* is open, in this browser. */
const setUpOpen = createStore(readSettings(SETTINGS, { setUp: true }).setUp);

function changeSetUpOpen(setUp: boolean): void {
  setUpOpen.set(setUp);
  writeSettings(SETTINGS, { setUp });
}

/** The main menu: the sections in two groups, and Sign out. */
export function SideMenu({ signOut }: { signOut: boolean }) {
  const entries = useOffered(menuEntries);
  const isOpen = useStore(setUpOpen);
  const { pathname } = useLocation();
  const setUp = entriesOf('Set up', entries);
  const list = useId();
  return (
    <nav aria-label="Main" className="flex flex-1 flex-col gap-1 p-2">
      <h2 className={GROUP}>Work</h2>
      <MenuEntries entries={entriesOf('Work', entries)} />
      <h2 className="mt-3">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={list}
          onClick={() => changeSetUpOpen(!isOpen)}
          className={cx(GROUP, 'w-full rounded-control hover:bg-sunken hover:text-text touch:h-touch')}
        >
          Set up
          <ChevronDownIcon size={14} className={cx('transition-transform duration-120', !isOpen && '-rotate-90')} />
        </button>
      </h2>
      <div id={list} className="flex flex-col gap-1 empty:hidden">
        {/* The current section stays visible. */}
        <MenuEntries entries={isOpen ? setUp : setUp.filter((entry) => isWithin(entry, pathname))} />
      </div>
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

function entriesOf(group: MenuGroup, entries: readonly MenuEntry[]): readonly MenuEntry[] {
  return entries.filter((entry) => entry.group === group);
}

function MenuEntries({ entries }: { entries: readonly MenuEntry[] }) {
  return entries.map((entry) => (
    <MenuLink key={entry.path} entry={entry} className={ENTRY}>
      <entry.icon size={17} />
      <span className="flex-1 truncate">{entry.label}</span>
      {entry.counted && <MenuCount endpoint={entry.counted} after={entry.countedAfter} />}
    </MenuLink>
  ));
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

/** Heading of a group. Its text is aligned with the icons of the entries. */
const GROUP = 'flex h-7 items-center justify-between px-2.5 font-semibold text-label text-muted';

const ENTRY = cx(
  'flex h-control shrink-0 items-center gap-2 rounded-control px-2.5 font-medium transition-colors duration-120 touch:h-touch',
  'text-muted hover:bg-sunken hover:text-text aria-[current]:forced-selected aria-[current]:bg-accent-soft aria-[current]:text-accent',
);
