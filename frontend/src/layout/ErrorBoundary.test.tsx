// @vitest-environment happy-dom
import { act, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { expect, test, vi } from 'vitest';
import { noteOutage, noteResponse } from '@/api/outage';
import { cleanPageAfterEach } from '@/testing/page';
import { lazyPage } from '@/ui/lazy';
import { ErrorBoundary } from './ErrorBoundary';

cleanPageAfterEach();

function Loaded() {
  return <p>Loaded</p>;
}

test('a page whose code could not be loaded in an outage is loaded when the connection returns', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
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
  expect(await screen.findByText('This page could not be loaded')).toBeDefined();
  isDown = false;
  act(() => noteResponse('service'));
  expect(await screen.findByText('Loaded')).toBeDefined();
});
