// Renders the complete console, without a browser.
import { startPrefetch } from './codeLoading';
import { render } from '@testing-library/react';
import { BrowserRouter } from 'react-router-dom';
import { beforeAll, vi } from 'vitest';
// Not by the router alone: its own code prefetches the tabs, and must start before the timers end.
import '@/features/toggles/TogglePage';
import { AppRoutes } from '@/layout/AppRoutes';
import { IconDefaults } from '@/ui/icons';
import { settlePage } from './page';
import { installPopovers } from './popovers';

startPrefetch();
beforeAll(() => vi.dynamicImportSettled(), 60_000);
// A page renders slowly on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

/** Renders the page of a path, such as `/features`, and waits for the first responses. */
export async function renderConsole(path: string) {
  installPopovers();
  history.replaceState(null, '', path);
  const rendered = render(
    <IconDefaults>
      <BrowserRouter>
        <AppRoutes />
      </BrowserRouter>
    </IconDefaults>,
  );
  await settlePage();
  return rendered;
}
