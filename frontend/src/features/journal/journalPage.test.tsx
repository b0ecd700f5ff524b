// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { journal } from '@/api/endpoints';
import type { JournalEnd, JournalLine, JournalPage } from '@/api/generated/types';
import { refreshReads } from '@/api/useRead';
import { button, click, main, row } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { SETTINGS, serveConsole } from '@/testing/flagService';
import { cleanPageAfterEach, settlePage } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';
import { toCsv } from './exportLines';

const server = installFakeServer();
cleanPageAfterEach();

const JOURNAL = 'GET -/journal';

const timeOf = (sequence: number) => new Date(Date.UTC(2026, 0, 5, 10, 0, sequence)).toISOString();

/** A line without a person and an item. */
const bareLine = (sequence: number, more: Partial<JournalLine>): JournalLine => ({
  sequence,
  time: timeOf(sequence),
  kind: 'change',
  previous: '',
  ...more,
});

const line = (sequence: number, more: Partial<JournalLine> = {}): JournalLine => ({
  sequence,
  time: timeOf(sequence),
  kind: 'change',
  person: { sub: 'anna', name: 'Anna A.', known: 'password' },
  address: '192.0.2.1',
  item: { type: 'toggle', name: `shop.${sequence}` },
  status: 200,
  change: `switched on the toggle shop.${sequence}`,
  events: [70 + sequence],
  previous: '',
  ...more,
});

const page = (
  lines: readonly JournalLine[],
  next: string | null = null,
  end: JournalEnd = 'start',
): { body: JournalPage } => ({
  body: { lines: [...lines], next, end: next === null ? end : null, searchedUntil: lines.at(-1)?.time ?? null },
});

async function openJournal(path = '/journal') {
  serveConsole(server());
  server().on('GET -/settings', { body: { ...SETTINGS, journal: true } });
  await renderConsole(path);
}

const changes = () =>
  main()
    .queryAllByRole('rowheader')
    .map(({ textContent }) => textContent);

test('shows who changed what with which result, and links to the toggle and the event', async () => {
  server().on(
    JOURNAL,
    page([
      line(9),
      line(8, { status: 403, environment: 'production', events: [], change: 'archive the toggle shop.8' }),
      bareLine(7, { kind: 'sign-in', person: { known: 'unknown' }, status: 400 }),
      bareLine(6, { kind: 'gap', lost: 2 }),
    ]),
  );
  await openJournal();
  const first = within(row('shop.9'));
  expect(row('shop.9').textContent).toContain('Switched on the toggle shop.9');
  expect(first.getByText('Anna A.').title).toBe('anna\nSigned in with a password');
  expect(first.getByText('Accepted')).toBeTruthy();
  expect(first.getByRole('link', { name: 'shop.9' }).getAttribute('href')).toBe('/features/strategies/shop.9');
  expect(first.getByRole('link', { name: 'Event' }).getAttribute('href')).toBe('/history/shop.9?event=79');
  expect(row('Refused (403)').textContent).toContain('Archive the toggle shop.8 in production');
  expect(row('Sign-in').textContent).toContain('Not signed in');
  expect(row('Flagdeck').textContent).toContain('too many signed-out requests were refused: 2');
  const views = within(main().getByRole('navigation', { name: 'Views' })).getAllByRole('link');
  expect(views.map(({ textContent }) => textContent)).toEqual(['Events', 'Journal']);
});

test('reads older entries, and keeps them when new ones arrive', async () => {
  server().on(JOURNAL, page([line(9), line(8)], '80.8'));
  server().on(`${JOURNAL}?before=80.8`, page([], '70.7'));
  server().on(`${JOURNAL}?before=70.7`, page([line(6)]));
  await openJournal();
  await click(button('Show older entries'));
  await settlePage();
  expect(changes()).toHaveLength(3);
  expect(main().getByText('The journal starts here.')).toBeTruthy();
  server().on(JOURNAL, page([line(10), line(9)], '90.9'));
  await act(() => refreshReads([journal('')]));
  await settlePage();
  expect(changes().map((text) => text?.match(/shop\.\d+/u)?.[0])).toEqual(['shop.10', 'shop.9', 'shop.8', 'shop.6']);
});

test('shows older matches although the newest part of the journal has none, also after it was read again', async () => {
  const now = Date.now();
  const searched = (minutesAgo: number, lines: readonly JournalLine[], next: string | null) => ({
    body: { lines, next, end: null, searchedUntil: new Date(now - minutesAgo * 60_000).toISOString() },
  });
  server().on(JOURNAL, searched(60, [], '80.8'));
  server().on(`${JOURNAL}?before=80.8`, searched(120, [line(6)], '50.5'));
  server().on(`${JOURNAL}?before=50.5`, searched(180, [line(4)], null));
  await openJournal();
  const shown = () => changes().map((text) => text?.match(/shop\.\d+/u)?.[0]);
  await click(button('Show older entries'));
  await settlePage();
  expect(shown()).toEqual(['shop.6']);
  await click(button('Show older entries'));
  await settlePage();
  expect(shown()).toEqual(['shop.6', 'shop.4']);
  const readAgain = async (response: ReturnType<typeof searched>) => {
    server().on(JOURNAL, response);
    await act(() => refreshReads([journal('')]));
    await settlePage();
    return shown();
  };
  expect(await readAgain(searched(50, [], '81.8'))).toEqual(['shop.6', 'shop.4']);
  expect(await readAgain(searched(40, [line(9)], '82.8'))).toEqual(['shop.9', 'shop.6', 'shop.4']);
  // More lines arrived than one request searches: what is between was never searched.
  expect(await readAgain(searched(-60, [line(12)], '120.12'))).toEqual(['shop.12']);
});

test('after a file was removed, the newest entries can be read instead of older ones', async () => {
  server().on(JOURNAL, page([line(9)], '80.8'));
  const message = 'This part of the journal is in a file that was moved or removed.';
  server().on(`${JOURNAL}?before=80.8`, { status: 410, body: { code: 'journal_replaced', message } });
  await openJournal();
  await click(button('Show older entries'));
  await settlePage();
  expect(main().getByRole('alert').textContent).toContain(message);
  server().on(JOURNAL, page([line(12)]));
  await click(button('Load newest entries'));
  await settlePage();
  expect(changes()).toHaveLength(1);
  expect(main().queryByRole('alert')).toBeNull();
});

test('filters are in the URL and in the request', async () => {
  const query =
    'person=anna&item=shop&result=refused&from=2026-01-05T00%3A00%3A00.000Z&to=2026-01-05T10%3A00%3A59.999Z';
  server().on(`${JOURNAL}?${query}`, page([]));
  server().on(`${JOURNAL}?${query.replace('refused', 'failed')}`, page([line(3)]));
  server().on(JOURNAL, page([line(9)]));
  await openJournal(
    '/journal?person=anna&item=shop&result=refused&from=2026-01-05T00:00:00.000Z&until=2026-01-05T10:00:00.000Z',
  );
  expect(main().getByRole('heading', { name: 'No entry matches these filters' })).toBeTruthy();
  fireEvent.change(main().getByLabelText('Result'), { target: { value: 'failed' } });
  await settlePage();
  expect(changes()).toHaveLength(1);
  expect(window.location.search).toContain('result=failed');
  await click(button('Clear all'));
  await settlePage();
  expect(window.location.search).toBe('');
});

test.each<[JournalEnd, RegExp]>([
  ['start', /The journal starts here/u],
  ['missing', /Older entries are not here: their files were moved, compressed or removed/u],
  ['period', /There are no older entries in this period/u],
])('says why the journal ends: %s', async (end, text) => {
  server().on(JOURNAL, page([line(9)], '80.8'));
  server().on(`${JOURNAL}?before=80.8`, page([line(8)], null, end));
  await openJournal();
  expect(main().queryByText(text)).toBeNull();
  await click(button('Show older entries'));
  await settlePage();
  expect(main().getByText(text)).toBeTruthy();
});

test('shows the entries of commands', async () => {
  const person = { iss: 'host', sub: 'root', name: 'root (sudo by anna)', known: 'command-line' } as const;
  server().on(JOURNAL, page([line(9)]));
  const command = bareLine(2, { person, status: 200, change: 'create the user ben with the permissions ADMIN' });
  server().on(`${JOURNAL}?source=commands`, page([command]));
  await openJournal();
  fireEvent.change(main().getByLabelText('Source'), { target: { value: 'commands' } });
  await settlePage();
  expect(window.location.search).toBe('?source=commands');
  const shown = within(row('Create the user ben with the permissions ADMIN'));
  expect(shown.getByText('root (sudo by anna)').title).toBe(
    'root\nhost\nUser of the operating system who ran the command',
  );
  expect(shown.getByText('Accepted')).toBeTruthy();
});

test('a search for older entries ends with its filter', async () => {
  server().on(JOURNAL, page([line(9)], '80.8'));
  server().on(`${JOURNAL}?result=failed`, page([line(3)], '30.3'));
  server().hold(`${JOURNAL}?before=80.8`);
  await openJournal();
  await click(button('Show older entries'));
  const search = await server().take(`${JOURNAL}?before=80.8`);
  fireEvent.change(main().getByLabelText('Result'), { target: { value: 'failed' } });
  await settlePage();
  search.respond(page([line(8)]));
  await settlePage();
  expect(changes()).toHaveLength(1);
  fireEvent.change(main().getByLabelText('Result'), { target: { value: '' } });
  await settlePage();
  server().release(`${JOURNAL}?before=80.8`);
  server().on(`${JOURNAL}?before=80.8`, page([line(7)]));
  await click(button('Show older entries'));
  await settlePage();
  expect(changes()).toHaveLength(2);
});

test('other users are told that they cannot read the journal', async () => {
  server().on(JOURNAL, { status: 403, body: { code: 'forbidden', message: 'You need the permission ADMIN for this' } });
  await openJournal();
  expect(main().getByRole('heading', { name: 'Only administrators can read the journal' })).toBeTruthy();
  expect(main().queryByRole('button', { name: 'Retry' })).toBeNull();
  expect(main().queryByRole('button', { name: 'Export' })).toBeNull();
});

test('a failure can be retried', async () => {
  server().on(JOURNAL, { status: 500, body: { code: 'internal', message: 'Internal error in Flagdeck' } });
  await openJournal();
  server().on(JOURNAL, page([line(1)]));
  await click(button('Retry'));
  await settlePage();
  expect(changes()).toHaveLength(1);
});

test('without a journal the event history has no such view, and the page says how to get one', async () => {
  serveConsole(server());
  await renderConsole('/journal');
  expect(main().getByRole('heading', { name: 'No journal' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Journal' })).toBeNull();
});

test('the CSV table contains the properties of a change', () => {
  const complete = line(1, {
    status: 403,
    environment: 'production',
    method: 'POST',
    path: '/api/admin/features',
    requestId: 'req-7',
    events: [70, 71],
    bodySha256: 'abc',
  });
  const [, row = ''] = toCsv([complete]).split('\r\n');
  for (const value of ['anna', 'Anna A.', 'password', '192.0.2.1', 'toggle', 'shop.1', 'production', '403'])
    expect(row).toContain(`"${value}"`);
  for (const value of ['POST', '/api/admin/features', 'req-7', '70 71', 'abc']) expect(row).toContain(`"${value}"`);
});

test('the CSV table contains no formula', () => {
  const [header, row, ...rest] = toCsv([
    line(1, { person: { name: '=HYPERLINK("http://evil")', sub: '+1', known: 'password' }, change: '@x, "y"' }),
  ]).split('\r\n');
  expect(header).toMatch(/^"Number","Time","Kind","Issuer","Subject","Name"/u);
  expect(row).toContain('"1","2026-01-05T10:00:01.000Z","change","","\'+1","\'=HYPERLINK(""http://evil"")","password"');
  expect(row).toContain('"\'@x, ""y"""');
  expect(rest).toEqual(['']);
});
