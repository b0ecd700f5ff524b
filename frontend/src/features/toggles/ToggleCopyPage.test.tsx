// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, serveConsole } from '@/testing/flagService';
import { cleanPageAfterEach } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

test('copying an archived toggle says that it is archived, and does not offer its name for a new toggle', async () => {
  serveConsole(server());
  server().on('GET api/admin/archive/features', { body: { features: [createToggle({ name: 'shop.old' })] } });
  await renderConsole('/features/copy/shop.old');
  // Code loads in real time.
  vi.useRealTimers();
  await screen.findByText('Toggle not found', {}, { timeout: 5000 });
  expect(screen.getByText(/is in the archive\. Revive it to copy it\./)).toBeDefined();
  expect(screen.getByRole('link', { name: 'Open in the archive' }).getAttribute('href')).toBe(
    '/archive/strategies/shop.old',
  );
  expect(screen.queryByRole('link', { name: 'Create shop.old' })).toBeNull();
});
