// @vitest-environment happy-dom
// Settings of the server and the operator: name, links and version in the footer, the environment in the header, the
// confirmation of writes, and read-only mode. Colours, layout and signing in: e2e/deployment.spec.ts, e2e/frame-configured.spec.ts.
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Settings } from '@/api/generated/types';
import {
  accessibleDescription,
  click,
  dialog,
  fill,
  isDisabled,
  main,
  row,
  strategyCard,
  switchOf,
  textOf,
} from './consolePage';
import { installFakeServer } from './fakeServer';
import { SETTINGS, serveUpstream, UPSTREAM_HOST } from './flagService';
import { cleanPageAfterEach, settlePage } from './page';
import { renderConsole } from './renderConsole';
import { BASKET, ONE_TOGGLE } from './responses';

const server = installFakeServer();
cleanPageAfterEach();

const LIST = 'GET api/admin/features';
const CONFIG = 'GET api/admin/ui-config';
const PATH = 'api/admin/features/shop.basket';
const PUT = `PUT ${PATH}`;
const OFF = `POST ${PATH}/toggle/off`;
const HOME = '/features?sort=name';

function configure(config: object, settings: Partial<Settings> = {}) {
  server().on(CONFIG, { body: config });
  server().on('GET -/settings', { body: { ...SETTINGS, mode: 'upstream', upstream: UPSTREAM_HOST, ...settings } });
}

beforeEach(() => {
  serveUpstream(server(), ONE_TOGGLE);
  server().on(OFF, { body: { ...BASKET, enabled: false } });
  server().on(`POST ${PATH}/toggle/on`, { body: BASKET });
});

const footer = () => screen.getByRole('contentinfo');
const mainText = () => textOf(screen.getByRole('main'));
const chip = (id: 'environment' | 'environment-line' | 'read-only') => screen.queryByTestId(id);
const question = (name: string) => within(screen.getByRole('dialog', { name }));
const undo = () => click(within(screen.getByTestId('snackbar')).getByRole('button', { name: 'Undo' }));

describe('the footer', () => {
  const versions = { current: { oss: '3.17.6', enterprise: '' }, latest: { oss: '3.18.0' }, isLatest: false };

  test('[S2-113] [S2-114] [S3-030] [S7-025] shows name, slogan, environment, version and instance id', async () => {
    const versionInfo = { ...versions, instanceId: '2f9c-instance' };
    configure({
      name: 'Toggle tower',
      slogan: 'Ship with calm',
      environment: 'production',
      version: '3.17.6',
      versionInfo,
    });
    await renderConsole(HOME);
    for (const text of ['Toggle tower', '3.17.6', '3.18.0', 'Ship with calm', 'production', '2f9c-instance'])
      expect(textOf(footer())).toContain(text);
    expect(document.title).toBe('Feature toggles - Toggle tower');
    // The links open in a new window that has no access to this one.
    const sdk = within(footer()).getByRole<HTMLAnchorElement>('link', { name: /node/i });
    expect(sdk.getAttribute('href')).toMatch(/^https:/);
    expect(sdk.target).toBe('_blank');
    expect(sdk.rel).toContain('noopener');
  });

  test('[S2-113] [S3-030] shows the enterprise version instead of the open-source one', async () => {
    const versionInfo = {
      current: { oss: '3.17.6', enterprise: '4.2.1' },
      latest: { enterprise: '4.3.0' },
      isLatest: false,
    };
    configure({ version: '3.17.6', versionInfo });
    await renderConsole(HOME);
    expect(textOf(footer())).toContain('Enterprise 4.2.1');
    expect(textOf(footer())).toContain('Upgrade available');
    expect(textOf(footer())).not.toContain('3.17.6');
  });

  test('[S2-113] shows no upgrade if the server reports none', async () => {
    configure({ version: '3.17.6', versionInfo: { ...versions, isLatest: true } });
    await renderConsole(HOME);
    expect(textOf(footer())).toContain('3.17.6');
    expect(textOf(footer())).not.toContain('Upgrade available');
  });

  test('[S3-030] has the links of the server, except unsafe URLs', async () => {
    const links = [
      { value: 'Handbook', icon: 'library_books', href: 'https://example.com/handbook', title: 'Read me' },
      { value: 'Trap', icon: 'warning', href: 'javascript:alert(1)', title: 'Trap' },
    ];
    configure({ version: '3.17.6', links });
    await renderConsole(HOME);
    const handbook = within(footer()).getByRole<HTMLAnchorElement>('link', { name: 'Handbook' });
    expect(handbook.href).toBe('https://example.com/handbook');
    expect(handbook.title).toBe('Read me');
    expect(document.querySelector('[href^="javascript" i]')).toBeNull();
  });
});

test('an error in a page keeps the navigation usable', async () => {
  // No server should send this. The page must still not be blank.
  server().on(LIST, { body: { version: 1, features: [{ name: {} }] } });
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await renderConsole(HOME);
  expect(main().getByRole('button', { name: /reload/i })).toBeDefined();
  server().on(LIST, { body: { version: 1, features: [] } });
  await click(within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: /^Archive/ }));
  expect(main().getByRole('heading', { level: 1 }).textContent).toContain('Archive');
});

describe('the header', () => {
  test('shows the label of the operator instead of the environment of the flag service', async () => {
    configure({ version: '3.17.6', environment: 'internal' }, { environment: 'production' });
    await renderConsole(HOME);
    expect(textOf(footer())).toContain('internal');
    expect(chip('environment')?.textContent).toBe('Environment: production');
    expect(document.title).toBe('[production] Feature toggles - Flagdeck');
  });

  test('without a label shows the environment of the flag service', async () => {
    configure({ version: '3.17.6', environment: 'staging' });
    await renderConsole(HOME);
    expect(chip('environment')?.textContent).toBe('Environment: staging');
    expect(chip('environment-line')).not.toBeNull();
  });

  test('of a service without an environment has neither line nor chip', async () => {
    configure({ version: '3.17.6' });
    await renderConsole(HOME);
    expect(row('shop.basket')).toBeDefined();
    expect(document.title).toBe('Feature toggles - Flagdeck');
    for (const id of ['environment', 'environment-line', 'read-only'] as const) expect(chip(id)).toBeNull();
  });
});

describe('the confirmation of writes', () => {
  const open = (path = HOME) => {
    configure({ version: '3.17.6' }, { confirmWrites: true, environment: 'production' });
    return renderConsole(path);
  };

  test.each([
    ['the label', { environment: 'internal' }, 'production', 'production'],
    ['the environment of the flag service', { environment: 'staging' }, null, 'staging'],
    ['the host of the console', {}, null, location.host],
  ])('names %s', async (_, config, environment, place) => {
    configure({ version: '3.17.6', ...config }, { confirmWrites: true, environment });
    await renderConsole(HOME);
    await click(switchOf('shop.basket'));
    await click(question(`Disable shop.basket in ${place}`).getByRole('button', { name: 'Cancel' }));
    expect(switchOf('shop.basket').checked).toBe(true);
    expect(document.activeElement).toBe(switchOf('shop.basket'));
    expect(server().count(OFF)).toBe(0);
  });

  test('precedes a switch in the list and its undo, and a cancelled undo can be repeated', async () => {
    await open();
    await click(switchOf('shop.basket'));
    await click(question('Disable shop.basket in production').getByRole('button', { name: 'Disable' }));
    expect(switchOf('shop.basket').checked).toBe(false);
    await undo();
    await click(question('Enable shop.basket in production').getByRole('button', { name: 'Cancel' }));
    expect(switchOf('shop.basket').checked).toBe(false);
    await undo();
    await click(question('Enable shop.basket in production').getByRole('button', { name: 'Enable' }));
    expect(switchOf('shop.basket').checked).toBe(true);
  });

  test('precedes a switch on the page of a toggle, and states the calls that become no', async () => {
    const lastHour = { 'shop.basket': { yes: 19_444, no: 23_759 } };
    server().on('GET api/admin/metrics/feature-toggles', { body: { lastHour, lastMinute: {} } });
    await open('/features/strategies/shop.basket');
    await click(main().getByRole('switch', { name: 'Enabled' }));
    const text = textOf(screen.getByRole('dialog', { name: 'Disable shop.basket in production' }));
    expect(text).toContain('19,400 of 43,200 checks per hour become no.');
    await click(question('Disable shop.basket in production').getByRole('button', { name: 'Cancel' }));
    expect(server().count(OFF)).toBe(0);
  });

  test('precedes a switch in the command palette', async () => {
    await open();
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    await settlePage();
    fireEvent.change(dialog().getByRole('combobox'), { target: { value: 'disable shop.basket' } });
    await settlePage();
    await click(screen.getByRole('option', { name: /^Disable shop\.basket/ }));
    await click(question('Disable shop.basket in production').getByRole('button', { name: 'Cancel' }));
    expect(server().count(OFF)).toBe(0);
  });

  test('precedes a save after which more users may get the feature, with the estimated impact', async () => {
    server().on(PUT, ({ body }) => {
      server().on(`GET ${PATH}`, { body });
      server().on(LIST, { body: { version: 1, features: [body] } });
      return { status: 200 };
    });
    await open('/features/strategies/shop.basket');
    await click(main().getByRole('button', { name: 'Edit flexibleRollout' }));
    const setRollout = async (percent: string) => {
      fill(strategyCard('flexibleRollout').getByLabelText('Rollout'), percent);
      await click(strategyCard('flexibleRollout').getByRole('button', { name: 'Save flexibleRollout' }));
    };
    await setRollout('65');
    const dialogText = textOf(screen.getByRole('dialog', { name: 'Save shop.basket in production' }));
    expect(dialogText).toContain('Widens who gets the feature. 25 → 65 %: no calls yet');
    await click(dialog().getByRole('button', { name: 'Cancel' }));
    expect(strategyCard('flexibleRollout').getByLabelText<HTMLInputElement>('Rollout').value).toBe('65');
    expect(server().count(PUT)).toBe(0);
    await click(strategyCard('flexibleRollout').getByRole('button', { name: 'Save flexibleRollout' }));
    await click(question('Save shop.basket in production').getByRole('button', { name: 'Save' }));
    expect(server().count(PUT)).toBe(1);
    await setRollout('10');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(server().count(PUT)).toBe(2);
  });
});

describe('a read-only console', () => {
  const open = (path: string) => {
    configure({ version: '3.17.6' }, { readOnly: true });
    return renderConsole(path);
  };

  test('shows that it is read-only, and the reason at each disabled control', async () => {
    let page = await open(HOME);
    expect(chip('read-only')?.textContent).toBe('Read-only: Changes are disabled in this console.');
    expect(isDisabled(switchOf('shop.basket'))).toBe(true);
    expect(accessibleDescription(switchOf('shop.basket'))).toContain('read-only');
    expect(screen.queryByRole('link', { name: 'New toggle' })).toBeNull();
    page.unmount();
    page = await open('/features/strategies/shop.basket');
    await click(main().getByRole('button', { name: 'Actions for shop.basket' }));
    expect(screen.getByRole('menuitem', { name: /^Archive/ }).textContent).toContain('read-only');
    page.unmount();
    await open('/archive?sort=name');
    const revive = within(row('shop.gone')).getByRole('button', { name: /Revive/ });
    expect(accessibleDescription(revive)).toContain('read-only');
  });

  test('explains why an empty list has no button, and shows no form', async () => {
    server().on(LIST, { body: { version: 1, features: [] } });
    const page = await open(HOME);
    expect(mainText()).toContain('Empty list of feature toggles');
    expect(mainText()).toContain('This console is read-only');
    page.unmount();
    await open('/features/create');
    expect(main().getAllByText('This console is read-only.')).toHaveLength(1);
    expect(main().queryByLabelText('Name')).toBeNull();
    await click(main().getByRole('link', { name: 'Back' }));
    expect(mainText()).toContain('Empty list of feature toggles');
  });
});
