import { type ReactNode, Suspense, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { Navigate, type Params, Route, Routes, useLocation, useNavigationType } from 'react-router-dom';
import { uiConfig } from '@/api/endpoints';
import { useAnnouncedRead } from '@/api/useRead';
import { isOverlayOpen } from '@/lib/overlays';
import { PastViewContext } from '@/api/pastView';
import '@/api/serverState';
import { useSettings } from '@/api/settings';
import { productName, useCachedUiConfig } from '@/api/uiConfigCache';
import { getPagePosition, restoreRowFocus, setCurrentEntry, trackPagePosition } from '@/lib/pagePositions';
import { addRecentId } from '@/lib/recentIds';
import { findPageHeading } from '@/lib/restoreFocus';
import { useUserKey } from '@/lib/store';
import { type PastView, parsePastView, paths } from '@/paths';
import { LogoutPage, type PageRoute, routes } from '@/routes';
import { useRouteParams } from '@/shared/useRouteParams';
import { lazyPage } from '@/ui/lazy';
import { Progress } from '@/ui/Progress';
import { AppShell } from './AppShell';
import { EnvironmentChips, EnvironmentLine } from './Environment';
import { ErrorBoundary } from './ErrorBoundary';
import { Logo } from './Logo';
import { entryIdOf } from './palette/entryIdOf';

const NotFoundPage = lazyPage(() => import('./NotFoundPage'), 'NotFoundPage');

/** Renders the page of the current URL. */
export function AppRoutes() {
  return (
    <Routes>
      <Route path={paths.home()} element={<Navigate to={paths.toggles()} replace />} />
      {/* Outside AppShell, whose requests would fail with 401 after signing out. */}
      <Route
        path={paths.logout()}
        element={
          <SignedOutLayout>
            <LogoutPage />
          </SignedOutLayout>
        }
      />
      {routes.map((route) => (
        <Route key={route.path} path={route.path} element={<PageInShell route={route} />} />
      ))}
      <Route path="*" element={<PageInShell route={NOT_FOUND} />} />
    </Routes>
  );
}

const NOT_FOUND: PageRoute = { path: '*', title: () => ['Page not found'], Page: NotFoundPage };

function PageInShell({ route }: { route: PageRoute }) {
  const params = useRouteParams();
  useAnnouncedRead(uiConfig);
  const config = useCachedUiConfig();
  const { title, Page } = isKnownTab(route, params) ? route : NOT_FOUND;
  const userKey = useUserKey();
  const view = usePastViewOfUrl();
  // Another page, because nothing of the present stays: the focus moves to its heading.
  const place = [route.path, params['name'], view && 'past'].join(' ');
  return (
    <PastViewContext value={view}>
      <AppShell config={config}>
        {/* Outside the keyed boundary, so that the previous page stays visible while the next page's code loads. */}
        <Suspense fallback={<Progress label="Loading" />}>
          <ErrorBoundary key={`${userKey} ${place}`}>
            <Page />
          </ErrorBoundary>
          <RouteEffects title={[...title(params), productName(config)]} place={place} />
        </Suspense>
      </AppShell>
    </PastViewContext>
  );
}

/** The earlier time in the URL. The same object until it changes. */
function usePastViewOfUrl(): PastView | undefined {
  const { at, scope } = parsePastView(useLocation()) ?? {};
  return useMemo(() => (at === undefined ? undefined : { at, ...(scope !== undefined && { scope }) }), [at, scope]);
}

function isKnownTab({ tabs }: PageRoute, { activeTab = '' }: Params): boolean {
  return tabs === undefined || tabs.includes(activeTab);
}

interface RouteEffectsProps {
  /** The parts of the document title, from the item to the product. */
  title: readonly string[];
  /** Identifies the page. All tabs of an item share it, so that changing tabs keeps the focus. */
  place: string;
}

/** Does for a client-side navigation what the browser does for a page load: title, history, scroll position and focus. */
function RouteEffects({ title, place }: RouteEffectsProps) {
  const { pathname, key } = useLocation();
  const returns = useNavigationType() === 'POP';
  const last = useRef({ pathname, place });
  // The scroll position and the focus of the document are outside React.
  useEffect(trackPagePosition, []);
  // The list of recent pages is shared with other tabs, so it is stored outside React.
  useEffect(() => addRecentId(entryIdOf(pathname)), [pathname]);
  // Runs before the browser reports a scroll of the shorter page, which must not be recorded for the previous page.
  useLayoutEffect(() => {
    const before = last.current;
    last.current = { pathname, place };
    const left = returns ? getPagePosition(key) : undefined;
    setCurrentEntry(key, before.pathname === pathname && !returns);
    if (before.pathname !== pathname) window.scrollTo(0, left?.y ?? 0);
    // A page that loads late must not take the focus from a dialog that was opened meanwhile.
    if (before.place === place || isOverlayOpen('dialog')) return;
    restoreRowFocus(left ?? { y: 0 }, () => findFirstFocus()?.focus({ preventScroll: true }));
  }, [pathname, key, place, returns]);
  return <title>{useTitle(title)}</title>;
}

/** The first field of a form for a new item, or the heading of other pages. */
function findFirstFocus(): HTMLElement | null {
  return document.querySelector<HTMLElement>('main form[data-new] :is(input, select, textarea)') ?? findPageHeading();
}

/** Page layout for users who are not signed in. */
function SignedOutLayout({ children }: { children: ReactNode }) {
  const product = productName(useCachedUiConfig());
  return (
    <>
      <EnvironmentLine />
      <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-8 p-6">
        <title>{useTitle(['Sign out', product])}</title>
        <div className="flex flex-wrap items-center justify-center gap-2.5">
          <Logo />
          <span className="text-[15px] [font-weight:650]">{product}</span>
          <EnvironmentChips />
        </div>
        <Suspense fallback={<Progress label="Loading" />}>{children}</Suspense>
      </main>
    </>
  );
}

/** The document title. The environment comes first, so that narrow browser tabs show it. */
function useTitle(parts: readonly string[]): string {
  const label = useSettings()?.environment;
  const title = parts.join(' - ');
  return label ? `[${label}] ${title}` : title;
}
