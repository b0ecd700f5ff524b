// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { click, fill, main } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { serveUpstream } from '@/testing/flagService';
import { cleanPageAfterEach } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

const byMoon = { name: 'byMoon', description: 'At full moon', editable: true, deprecated: false, parameters: [] };
const cancel = () => click(main().getByRole('link', { name: 'Cancel' }));

// Cancelling leads to the same page as saving: S4-012 and S4-013.
test.each([
  ['/strategies/create', '/strategies', 'Strategies'],
  ['/strategies/edit/byMoon', '/strategies/view/byMoon', 'byMoon'],
])('[S4-014] cancelling %s leads to %s, and nothing is saved', async (path, target, heading) => {
  serveUpstream(server(), { 'GET api/admin/strategies': { body: { version: 1, strategies: [byMoon] } } });
  const page = await renderConsole(path);
  await cancel();
  expect(location.pathname).toBe(target);
  expect(main().getByRole('heading', { level: 1, name: heading })).toBeDefined();
  page.unmount();

  await renderConsole(path);
  fill(main().getByLabelText('Description'), 'At new moon');
  await cancel();
  expect(location.pathname).toBe(path);
  const question = within(screen.getByRole('dialog', { name: 'Unsaved changes' }));
  await click(question.getByRole('button', { name: 'Discard' }));
  expect(location.pathname).toBe(target);
  expect(server().requests.filter(({ line }) => !line.startsWith('GET'))).toEqual([]);
});
