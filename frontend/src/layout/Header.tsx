import type { CSSProperties } from 'react';
import { Link } from 'react-router-dom';
import type { UiConfig } from '@/api/generated/types';
import { productName } from '@/api/uiConfigCache';
import { cx } from '@/lib/cx';
import { paths } from '@/paths';
import { IconButton } from '@/ui/IconButton';
import { MenuIcon, SearchIcon } from '@/ui/icons';
import { openPalette, paletteKeys } from './commands';
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
  const { environment, headerBackground } = config;
  const hasColour = headerBackground && CSS.supports('color', `rgb(from ${headerBackground} r g b)`);
  return (
    <header
      className={cx(
        'sticky top-(--banner-height) z-20 h-header border-line border-b bg-surface',
        hasColour && 'coloured',
      )}
      style={hasColour ? ({ '--header': headerBackground } as CSSProperties) : undefined}
    >
      {environment && !hasColour && <div aria-hidden="true" className="absolute inset-x-0 top-0 h-[3px] bg-alarm" />}
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
          <span className={cx('truncate text-[15px] [font-weight:650]', environment && 'max-sm:sr-only')}>
            {productName(config)}
          </span>
        </Link>
        <span className="flex-1" />
        {environment && (
          <span className="max-w-40 shrink-0 truncate rounded-chip bg-alarm px-2 py-1 font-bold text-[11px] text-on-alarm uppercase leading-4 tracking-[0.03em]">
            {environment}
          </span>
        )}
        <IconButton
          label={`Search or run a command (${paletteKeys})`}
          icon={<SearchIcon size={17} />}
          aria-haspopup="dialog"
          onClick={openPalette}
        />
        <span className="flex items-center gap-1 max-sm:hidden">
          <LocaleMenu />
          <ThemeMenu />
        </span>
        {/* Reserves the width of the user menu, which renders after the user is loaded. */}
        <span className="flex min-w-8 justify-center touch:min-w-11">
          <UserMenu signOut={signOut} />
        </span>
      </div>
    </header>
  );
}
