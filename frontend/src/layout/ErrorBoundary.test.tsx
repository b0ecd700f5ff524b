// @vitest-environment happy-dom
import { act, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { expect, test, vi } from 'vitest';
import { noteOutage } from '@/api/outage';
import { installFakeServer } from '@/testing/fakeServer';
import { cleanPageAfterEach, settle } from '@/testing/page';
import { lazyPage } from '@/ui/lazy';
import { ErrorBoundary } from './ErrorBoundary';

const server = installFakeServer();
cleanPageAfterEach();

function Loaded() {
  return <p>Loaded</p>;
}

test('a page whose code could not be loaded in an outage is loaded when the connection returns', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const probe = 'GET api/admin/ui-config';
  server().hold(probe);
  let isDown = true;
  const load = () => (isDown ? Promise.reject(new TypeError('Failed')) : Promise.resolve({ Loaded }));
  const Page = lazyPage(load, 'Loaded');
  act(() => noteOutage('network', 'unreachable'));
  render(
    <Suspense>
      <ErrorBoundary>
        <Page />
      </ErrorBoundary>
    </Suspense>,
  );
  await settle();
  expect(screen.getByText('This page could not be loaded')).toBeDefined();
  isDown = false;
  (await server().take(probe)).respond({ body: {} });
  await settle();
  expect(screen.getByText('Loaded')).toBeDefined();
});
