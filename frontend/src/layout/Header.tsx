import type { CSSProperties } from 'react';
import { Link } from 'react-router-dom';
import { useServerEnvironment } from '@/api/environment';
import type { UiConfig } from '@/api/generated/types';
import { productName } from '@/api/uiConfigCache';
import { cx } from '@/lib/cx';
import { paths } from '@/paths';
import { IconButton } from '@/ui/IconButton';
import { MenuIcon, SearchIcon } from '@/ui/icons';
import { openPalette, paletteKeys } from './commands';
import { EnvironmentChips, useEnvironment } from './Environment';
import { LocaleMenu } from './LocaleMenu';
import { Logo } from './Logo';
import { ThemeMenu } from './ThemeMenu';
import { UserMenu } from './UserMenu';

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
          <ThemeMenu />
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
