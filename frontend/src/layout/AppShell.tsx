import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useHref, useLocation } from 'react-router-dom';
import { authState } from '@/api/authState';
import type { UiConfig } from '@/api/generated/types';
import { useManagedToggles } from '@/api/managedToggles';
import { useOutage } from '@/api/outage';
import { useProfile } from '@/api/permissions';
import { questionPrompt } from '@/api/questions';
import { useCanSignOut } from '@/api/session';
import { useSettings } from '@/api/settings';
import { clockPrompt } from '@/domain/past/clockPrompt';
import { hasHoldMessages, holdPrompt, useHolds } from '@/domain/holds/holds';
import { useSessionChanges } from '@/features/session/sessionChange';
import { leavePrompt } from '@/lib/leaveGuard';
import { useStore } from '@/lib/store';
import { menuEntries } from '@/routes';
import { SideMenuPaths } from '@/shared/Breadcrumb';
import { lazyDialog } from '@/ui/lazy';
import { ReasonTooltip } from '@/ui/ReasonTooltip';
import { Commands } from './Commands';
import { EnvironmentLine } from './Environment';
import { EnvironmentDialog } from './EnvironmentDialog';
import { Footer } from './Footer';
import { Header } from './Header';
import { OutageBanner } from './OutageBanner';
import { OverridesBanner } from './OverridesBanner';
import { SideMenu } from './SideMenu';
import { Snackbar } from './Snackbar';
import { SwitchConfirmation } from './SwitchConfirmation';

const ClockDialog = lazyDialog(() => import('@/domain/past/ClockDialog'), 'ClockDialog');
const Drawer = lazyDialog(() => import('./DrawerPopup'), 'DrawerPopup');
const HoldBanners = lazyDialog(() => import('@/features/holds/HoldBanners'), 'HoldBanners');
const HoldDialog = lazyDialog(() => import('@/features/holds/HoldDialog'), 'HoldDialog');
const LeaveConfirmation = lazyDialog(() => import('./LeaveDialog'), 'LeaveConfirmation');
const QuestionDialog = lazyDialog(() => import('./QuestionDialog'), 'QuestionDialog');
const SignInDialog = lazyDialog(() => import('@/features/session/SignInDialog'), 'SignInDialog');

const MENU_PATHS = menuEntries.map(({ path }) => path);

/** The frame of every page: header, menu, footer, and the elements that exist once per page. */
export function AppShell({ config, children }: { config: UiConfig; children: ReactNode }) {
  useSessionChanges();
  useManagedToggles(useProfile() !== undefined);
  const { pathname, search } = useLocation();
  // Contains the base path, so that the leave guard recognises the current page.
  const skipHref = useHref({ pathname, search, hash: 'main' });
  const main = useRef<HTMLElement>(null);
  const [drawerAt, setDrawerAt] = useState<string>();
  // A navigation closes the drawer at once. The effect forgets it, so that it does not open again on the way back.
  useEffect(() => setDrawerAt((at) => (at === pathname ? at : undefined)), [pathname]);
  const outage = useOutage();
  const signOut = useCanSignOut();
  const auth = useStore(authState);
  const definitions = useSettings()?.definitions;
  const skip = (event: MouseEvent) => {
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <div className="flex min-h-dvh flex-col">
      <a href={skipHref} onClick={skip} className={SKIP}>
        Skip to content
      </a>
      <EnvironmentLine />
      <Header config={config} signOut={signOut} onOpenDrawer={() => setDrawerAt(pathname)} />
      <div className="flex flex-1">
        <aside className="sticky top-below-header hidden h-[calc(100dvh-var(--spacing-below-header))] w-menu shrink-0 flex-col overflow-y-auto border-line border-r bg-surface lg:flex">
          <SideMenu signOut={signOut} />
        </aside>
        <div className="flex min-w-0 flex-1 flex-col pb-(--bottom-bar)">
          <main
            ref={main}
            id="main"
            tabIndex={-1}
            className="mx-auto w-full max-w-page flex-1 px-4 pt-4 outline-none lg:px-8 lg:pt-6"
          >
            {outage && <OutageBanner outage={outage} />}
            {definitions && definitions.overrides.length > 0 && <OverridesBanner {...definitions} />}
            <HoldBanners open={hasHoldMessages(useHolds())} />
            <SideMenuPaths value={MENU_PATHS}>{children}</SideMenuPaths>
          </main>
          <Footer config={config} />
        </div>
      </div>
      <Drawer open={drawerAt === pathname} onClose={() => setDrawerAt(undefined)} signOut={signOut} />
      <Snackbar />
      <Commands />
      <ReasonTooltip />
      <SwitchConfirmation />
      <LeaveConfirmation open={useStore(leavePrompt.store)?.open ?? false} onClose={leavePrompt.close} />
      <QuestionDialog open={useStore(questionPrompt.store)?.open ?? false} onClose={questionPrompt.close} />
      <EnvironmentDialog />
      <HoldDialog open={useStore(holdPrompt.store)?.open ?? false} onClose={holdPrompt.close} />
      <ClockDialog open={useStore(clockPrompt.store)?.open ?? false} onClose={clockPrompt.close} />
      {auth && <SignInDialog details={auth} />}
    </div>
  );
}

const SKIP =
  'fixed top-2 left-2 z-60 -translate-y-20 rounded-control bg-inverse px-4 py-2.5 font-semibold text-on-inverse focus:translate-y-0';
