// @vitest-environment happy-dom
// An edit of a definition that another user changes or deletes meanwhile. A journey in the browser: e2e/strategies-edit.spec.ts.
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { click, fill } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { serveUpstream } from '@/testing/flagService';
import { cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

const [PUT, POST] = ['PUT api/admin/strategies/byRegion', 'POST api/admin/strategies'];
const parameter = (name: string) => ({ name, type: 'list', description: '', required: false });
const definition = {
  name: 'byRegion',
  description: 'Old',
  editable: true,
  deprecated: false,
  parameters: [parameter('regions'), parameter('share')],
};

/** Another user stores these changes, or deletes the definition. */
function serve(changes: object | undefined) {
  const stored = changes && { ...definition, ...changes };
  server().on('GET api/admin/strategies', { body: { version: 1, strategies: stored ? [stored] : [] } });
  server().on('GET api/admin/strategies/byRegion', stored ? { body: stored } : { status: 404, body: {} });
}

async function open() {
  serveUpstream(server(), {
    'GET api/admin/metrics/applications': { body: { applications: [] } },
    'GET api/admin/events': { body: { version: 1, events: [] } },
  });
  for (const line of [PUT, POST]) server().on(line, { status: 200 });
  serve({});
  await renderConsole('/strategies/edit/byRegion');
}

async function press(name: string) {
  await click(screen.getByRole('button', { name }));
  await settlePage();
}

const body = (line: string) => server().requests.findLast((request) => request.line === line)?.body;

test.each([
  ['Your version', ['areas', 'share']],
  ['Saved version', ['regions']],
])('conflicting parameters are described, and stored as the user decides: %s', async (side, stored) => {
  await open();
  const [name] = screen.getAllByLabelText('Parameter name');
  fill(name ?? document.body, 'areas');
  serve({ parameters: [parameter('regions')], description: 'New' });
  await press('Save');
  expect(screen.getByRole('dialog').textContent).toContain('Other changes were merged: Description.');
  expect(screen.getByRole('radio', { name: /^Your version parameter areas added: list/ })).toBeDefined();
  expect(screen.getByRole('radio', { name: /^Saved version parameter share removed/ })).toBeDefined();
  await click(screen.getByRole('radio', { name: new RegExp(side) }));
  await press('Save merged');
  expect(body(PUT)).toMatchObject({ description: 'New', parameters: stored.map(parameter) });
  expect(location.pathname).toBe('/strategies/view/byRegion');
});

test('changes of different fields are merged without a question', async () => {
  await open();
  fill(screen.getByLabelText('Description'), 'Mine');
  serve({ parameters: [parameter('regions')] });
  await press('Save');
  expect(body(PUT)).toMatchObject({ description: 'Mine', parameters: [parameter('regions')] });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a deleted definition is created again only if the user wants it', async () => {
  await open();
  fill(screen.getByLabelText('Description'), 'Mine');
  serve(undefined);
  await press('Save');
  expect(screen.getByRole('dialog', { name: 'This strategy was deleted while you were editing' })).toBeDefined();
  await press('Keep editing');
  expect(server().count(POST)).toBe(0);
  await press('Save');
  await press('Create it again');
  expect(body(POST)).toEqual({ name: 'byRegion', description: 'Mine', parameters: definition.parameters });
  expect(location.pathname).toBe('/strategies/view/byRegion');
});
