// @vitest-environment happy-dom
// The form of a new strategy definition: marks of its fields, and the focus while its parameters change.
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { click } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { serveUpstream } from '@/testing/flagService';
import { cleanPageAfterEach } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

beforeEach(async () => {
  serveUpstream(server(), { 'GET api/admin/strategies': { body: { version: 1, strategies: [] } } });
  await renderConsole('/strategies/create');
});

test('the name is required, and the description is not', () => {
  expect(screen.getByLabelText('Name').getAttribute('aria-required')).toBe('true');
  expect(screen.getByLabelText('Description').getAttribute('aria-required')).toBeNull();
});

test('an added parameter gets the focus, and its neighbour or the button after it is removed', async () => {
  const add = screen.getByRole('button', { name: 'Add parameter' });
  const names = () => screen.queryAllByLabelText('Parameter name');
  await click(add);
  await click(add);
  expect(document.activeElement).toBe(names()[1]);
  await click(screen.getByRole('button', { name: 'Remove parameter 2' }));
  expect(names()).toHaveLength(1);
  expect(document.activeElement).toBe(names()[0]);
  await click(screen.getByRole('button', { name: 'Remove parameter 1' }));
  expect(document.activeElement).toBe(add);
});
