import { Suspense } from 'react';
import { Navigate, type Params, Route, Routes } from 'react-router-dom';
import { uiConfig } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import '@/api/serverState';
import { productName, useCachedUiConfig } from '@/api/uiConfigCache';
import { useUserKey } from '@/lib/store';
import { paths } from '@/paths';
import { LogoutPage, type PageRoute, routes } from '@/routes';
import { useRouteParams } from '@/shared/useRouteParams';
import { lazyPage } from '@/ui/lazy';
import { Progress } from '@/ui/Progress';
import { AppShell } from './AppShell';
import { ErrorBoundary } from './ErrorBoundary';
import { RouteEffects } from './RouteEffects';
import { SignedOutLayout } from './SignedOutLayout';

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
  useRead(uiConfig);
  const config = useCachedUiConfig();
  const { title, Page } = isKnownTab(route, params) ? route : NOT_FOUND;
  const userKey = useUserKey();
  const place = [route.path, params['name']].join(' ');
  return (
    <AppShell config={config}>
      {/* Outside the keyed boundary, so that the previous page stays visible while the next page's code loads. */}
      <Suspense fallback={<Progress label="Loading" />}>
        <ErrorBoundary key={`${userKey} ${place}`}>
          <Page />
        </ErrorBoundary>
        <RouteEffects title={[...title(params), productName(config)]} place={place} />
      </Suspense>
    </AppShell>
  );
}

function isKnownTab({ tabs }: PageRoute, { activeTab = '' }: Params): boolean {
  return tabs === undefined || tabs.includes(activeTab);
}
