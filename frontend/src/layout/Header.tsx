import { type CSSProperties, useState } from 'react';
import { Link } from 'react-router-dom';
import { findGroups } from '@/api/disabledReason';
import { useServerEnvironment } from '@/api/environment';
import type { UiConfig } from '@/api/generated/types';
import { useProfile } from '@/api/permissions';
import { getInitials, type Profile } from '@/api/profile';
import { useSettings } from '@/api/settings';
import { productName } from '@/api/uiConfigCache';
import { cx } from '@/lib/cx';
import { baseUrl } from '@/lib/urls';
import { paths } from '@/paths';
import { useOpenPage } from '@/shared/navigation';
import { Button } from '@/ui/Button';
import { IconButton } from '@/ui/IconButton';
import { MenuIcon, SearchIcon, SignOutIcon } from '@/ui/icons';
import { Popover } from '@/ui/Popover';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { openPalette, paletteKeys } from './commands';
import { EnvironmentChips, useEnvironment } from './Environment';
import { Logo } from './Logo';
import { LocaleMenu, ThemeSelect } from './PreferenceMenus';

interface HeaderProps {
  config: UiConfig;
  signOut: boolean;
  onOpenDrawer: () => void;
}

export function Header({ config, signOut, onOpenDrawer }: HeaderProps) {
  const { headerBackground } = config;
  const hasColour = headerBackground && CSS.supports('color', `rgb(from ${headerBackground} r g b)`);
  const hasEnvironment = [useEnvironment(), useServerEnvironment()].some(Boolean);
  return (
    <header
      className={cx('sticky top-0 z-20 h-header border-line border-b bg-surface', hasColour && 'coloured')}
      style={hasColour ? ({ '--header': headerBackground } as CSSProperties) : undefined}
    >
      <div className="flex h-full items-center gap-2 px-2 sm:px-3 lg:px-5">
        <span className="lg:hidden">
          <IconButton label="Open menu" icon={<MenuIcon size={17} />} onClick={onOpenDrawer} />
        </span>
        <Link
          to={paths.home()}
          className="flex min-w-0 items-center gap-2.5 rounded-control text-text touch:min-h-touch"
        >
          <Logo />
          {/* Narrow screens show the environment instead of the product. */}
          <span className={cx('truncate text-[15px] [font-weight:650]', hasEnvironment && 'max-sm:sr-only')}>
            {productName(config)}
          </span>
        </Link>
        <SearchButton />
        <EnvironmentChips />
        <span className="flex items-center gap-1 max-[900px]:order-1 max-sm:hidden">
          <LocaleMenu />
        </span>
        {/* Reserves the width of the user menu, which renders after the user is loaded. */}
        <span className="flex min-w-8 justify-center max-[900px]:order-1 touch:min-w-11">
          <UserMenu signOut={signOut} />
        </span>
      </div>
    </header>
  );
}

/** Opens the command palette. Looks like a search field from 900 px on, and like an icon button below. */
function SearchButton() {
  const text = 'Search or run a command';
  return (
    <button
      type="button"
      title={`${text} (${paletteKeys})`}
      aria-haspopup="dialog"
      onClick={openPalette}
      className={SEARCH}
    >
      <SearchIcon size={17} className="shrink-0" />
      <span className="flex-1 truncate text-left max-[900px]:sr-only">{text}</span>
      <kbd className="shrink-0 rounded-chip border border-line-strong px-1.5 font-sans text-label max-[900px]:hidden">
        {paletteKeys}
      </kbd>
    </button>
  );
}

/** The palette's icon is beside the other icons; its field is in the middle, before the environment. */
const SEARCH = cx(
  'flex h-control shrink-0 items-center justify-center gap-2 rounded-control text-muted transition-colors duration-120 touch:h-touch',
  'max-[900px]:order-1 max-[900px]:w-8 max-[900px]:hover:bg-sunken max-[900px]:hover:text-text max-[900px]:touch:w-touch',
  'min-[900px]:mx-auto min-[900px]:w-full min-[900px]:max-w-[420px] min-[900px]:shrink min-[900px]:border min-[900px]:border-line',
  'min-[900px]:bg-sunken min-[900px]:px-2.5 min-[900px]:hover:border-line-strong',
  'min-[900px]:in-[.coloured]:border-current min-[900px]:in-[.coloured]:bg-transparent',
);

/** The signed-in user: name, address and permissions, the theme, and the command to sign out. */
function UserMenu({ signOut }: { signOut: boolean }) {
  // Loaded on every page: after a new sign-in, it shows whether the same user continues with an open form.
  const profile = useProfile();
  const open = useOpenPage();
  if (!profile) return null;
  const { name, email } = profile;
  const leave = () => open(paths.logout());
  return (
    <Popover
      label={name}
      text={
        <>
          <VisuallyHidden>{name}</VisuallyHidden>
          <Avatar profile={profile} />
        </>
      }
      variant="ghost"
      className="rounded-full! p-0! touch:min-w-touch"
    >
      {() => (
        <div className="grid gap-3">
          <div className="wrap-anywhere">
            <p className="font-semibold">{name}</p>
            {email && <p className="text-muted text-secondary">{email}</p>}
          </div>
          <div className="border-line border-t pt-3 text-secondary">
            <h2 className="font-semibold">Permissions</h2>
            <Permissions profile={profile} />
          </div>
          <div className="grid border-line border-t pt-3">
            <ThemeSelect />
          </div>
          {signOut && (
            <Button icon={<SignOutIcon />} onClick={() => void leave()}>
              Sign out
            </Button>
          )}
        </div>
      )}
    </Popover>
  );
}

function Permissions({ profile }: { profile: Profile }) {
  const { permissions } = profile;
  const isReadOnly = useSettings()?.readOnly;
  if (isReadOnly) return <p className="text-muted">This console is read-only.</p>;
  const by = (permission: string) => {
    const groups = findGroups(permission, profile, true);
    return groups.length > 0 && <span className="font-sans"> by {groups.join(', ')}</span>;
  };
  if (!permissions || permissions.includes('ADMIN'))
    return <p className="wrap-anywhere text-muted">All{by('ADMIN')}</p>;
  if (permissions.length === 0) return <p className="text-muted">None</p>;
  return (
    <ul className="mt-1 max-h-48 overflow-y-auto font-mono text-label text-muted">
      {permissions.toSorted().map((permission) => (
        <li key={permission} className="wrap-anywhere">
          {permission}
          {by(permission)}
        </li>
      ))}
    </ul>
  );
}

/** The user's picture, or the initials while it loads and if it cannot be loaded. */
function Avatar({ profile }: { profile: Profile }) {
  const allowed = useSettings()?.imageOrigins ?? [];
  const source = imageSource(profile.imageUrl, baseUrl, allowed);
  const [loaded, setLoaded] = useState<string>();
  const [failed, setFailed] = useState<string>();
  return (
    <span
      aria-hidden="true"
      className="relative inline-flex size-[30px] items-center justify-center overflow-hidden rounded-full bg-avatar font-bold text-[11px] text-on-avatar"
    >
      {(source === undefined || loaded !== source) && getInitials(profile.name)}
      {source !== undefined && failed !== source && (
        <img
          src={source}
          alt=""
          referrerPolicy="no-referrer"
          className="absolute inset-0 size-full object-cover"
          onLoad={() => setLoaded(source)}
          onError={() => setFailed(source)}
        />
      )}
    </span>
  );
}

/**
 * Returns the absolute URL of an image if its origin is the console's own or allowed by the operator. This matches the
 * page's Content-Security-Policy, which would report a violation for any other origin.
 */
export function imageSource(url: string | undefined, base: string, allowed: readonly string[]): string | undefined {
  if (!url || !URL.canParse(url, base)) return undefined;
  const { protocol, origin, username, href } = new URL(url, base);
  const isHttp = protocol === 'https:' || protocol === 'http:';
  const isAllowed = origin === new URL(base).origin || allowed.includes(origin);
  return isHttp && isAllowed && username === '' ? href : undefined;
}
