import { Menu as MenuIcon, Search } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { UiConfig } from '@/api/generated/types';
import { useProfile } from '@/api/permissions';
import { lazyInIdle } from '@/lib/lazyInIdle';
import { productName } from '@/lib/uiConfigCache';
import { paths } from '@/paths';
import { IconButton } from '@/ui/IconButton';
import { WhenIdle } from '@/ui/WhenIdle';
import { openPalette, paletteKeys } from './commands';
import { Mark } from './Mark';

const HeaderMenus = lazyInIdle(() => import('./HeaderMenus').then((part) => part.HeaderMenus));

const UserMenu = lazyInIdle(() => import('./UserMenu').then((part) => part.UserMenu));

interface HeaderProps {
  config: UiConfig;
  signOut: boolean;
  onOpenDrawer: () => void;
}

export function Header({ config, signOut, onOpenDrawer }: HeaderProps) {
  const { environment } = config;
  // Known from the first moment: whoever signs in again while a form is open is told from somebody else by it.
  useProfile();
  return (
    <header className="sticky top-(--strip) z-20 h-header border-line border-b bg-surface">
      <ColourLine config={config} />
      <div className="flex h-full items-center gap-2 px-2 sm:px-3 lg:px-5">
        <span className="lg:hidden">
          <IconButton
            label="Open menu"
            icon={<MenuIcon size={17} strokeWidth={1.75} aria-hidden="true" />}
            onClick={onOpenDrawer}
          />
        </span>
        <Link to={paths.home()} className="flex min-w-0 items-center gap-2.5 rounded-control touch:min-h-touch">
          <Mark />
          <span className="truncate text-[15px] [font-weight:650]">{productName(config)}</span>
        </Link>
        <span className="flex-1" />
        {environment && (
          <span className="max-w-40 truncate rounded-chip bg-alarm px-2 py-1 font-bold text-[11px] text-on-alarm uppercase leading-4 tracking-[0.03em]">
            {environment}
          </span>
        )}
        <IconButton
          label={`Search and act (${paletteKeys})`}
          icon={<Search size={17} strokeWidth={1.75} aria-hidden="true" />}
          aria-haspopup="dialog"
          onClick={openPalette}
        />
        <span className="flex min-w-17 items-center gap-1 touch:min-w-23 max-sm:hidden">
          <WhenIdle>
            <HeaderMenus />
          </WhenIdle>
        </span>
        <span className="flex min-w-8 justify-end touch:min-w-11">
          <WhenIdle>
            <UserMenu signOut={signOut} />
          </WhenIdle>
        </span>
      </div>
    </header>
  );
}

/** There only when the operator named an environment or a colour: it must stay a sign. */
function ColourLine({ config: { environment, headerBackground } }: { config: UiConfig }) {
  const background = headerBackground && CSS.supports('color', headerBackground) ? headerBackground : undefined;
  if (!environment && !background) return null;
  return (
    <div
      aria-hidden="true"
      className="absolute inset-x-0 top-0 h-[3px] bg-alarm"
      style={background ? { background } : undefined}
    />
  );
}
