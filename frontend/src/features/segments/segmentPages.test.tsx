// @vitest-environment happy-dom
// Segments in a read-only console. Without permissions: testing/formPermissions.test.tsx. Journeys: e2e/segments.spec.ts.
import { fireEvent, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { EMBEDDED_CAPABILITIES } from '@/api/generated/capabilities';
import { storeSettings } from '@/api/settings';
import { accessibleDescription, find, isDisabled, main, row } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { SETTINGS, serveConsole } from '@/testing/flagService';
import { cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

const REASON = 'This console is read-only.';
const beta = { id: 7, name: 'beta', constraints: [{ contextName: 'userId', operator: 'IN', values: ['ann'] }] };

beforeEach(() => {
  serveConsole(server());
  server().on('GET -/settings', { body: { ...SETTINGS, readOnly: true } });
  server().on('GET api/admin/segments', { body: { segments: [beta] } });
  server().on('GET api/admin/segments/7/strategies', { body: { strategies: [{ featureName: 'shop.basket' }] } });
});

test('the list of a read-only console shows segments, and why they cannot be changed', async () => {
  await renderConsole('/segments');
  expect(row('beta').textContent).toContain('userId');
  for (const name of ['New segment', 'Edit beta', 'Remove beta']) {
    expect(accessibleDescription(main().getByRole('button', { name }))).toBe(REASON);
  }
});

test('a segment of a read-only console is shown with its toggles, and cannot be saved', async () => {
  await renderConsole('/segments/edit/7');
  expect(isDisabled(main().getByLabelText('Name'))).toBe(true);
  expect(isDisabled(main().getByRole('button', { name: 'Add constraint' }))).toBe(true);
  expect(main().getByRole('link', { name: 'shop.basket' })).toBeDefined();
  expect(find(document, '#main form').textContent).toContain(REASON);
});

test.each(['/segments', '/segments/edit/7'])(
  '%s does not read segments before the capabilities are known',
  async (path) => {
    const unknown = { ...SETTINGS, capabilities: null };
    storeSettings(unknown);
    server().on('GET -/settings', { body: unknown });
    server().hold('GET api/admin/ui-config');
    await renderConsole(path);
    expect(main().getByRole('progressbar', { name: 'Loading the segments' })).toBeDefined();
    server().on('GET -/settings', {
      body: { ...SETTINGS, capabilities: { ...EMBEDDED_CAPABILITIES, managesSegments: false } },
    });
    server().respondToAll('GET api/admin/ui-config');
    await settlePage();
    expect(main().getByRole('heading', { name: 'This server does not support segments' })).toBeDefined();
    expect(server().requests.map(({ line }) => line)).not.toContain('GET api/admin/segments');
  },
);

test('operators are grouped, and Invert is offered only without an operator for the negation', async () => {
  server().on('GET -/settings', { body: SETTINGS });
  server().on('GET api/admin/context', { body: [{ name: 'userId', description: '', sortOrder: 1 }] });
  await renderConsole('/segments/edit/7');
  const operator = within(main().getByRole('group', { name: 'Constraint 1' })).getByLabelText('Operator');
  expect([...operator.querySelectorAll('optgroup')].map(({ label }) => label)).toEqual([
    'Text',
    'Number',
    'Date',
    'Version',
  ]);
  const hasInvert = () => main().queryByRole('checkbox', { name: 'Invert' }) !== null;
  expect(hasInvert()).toBe(false);
  for (const [name, expected] of [
    ['STR_CONTAINS', true],
    ['NUM_GT', false],
    ['SEMVER_EQ', true],
  ] as const) {
    fireEvent.change(operator, { target: { value: name } });
    expect(hasInvert(), name).toBe(expected);
  }
});
