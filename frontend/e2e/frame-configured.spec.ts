// The page frame as the server and the operator configure it.

import { faults } from './support/access';
import { expect, stubTest, test } from './support/fixtures';
import { gate } from './support/gate';
import { shade } from './support/look';

stubTest.describe('the footer', { tag: '@stub' }, () => {
  stubTest('tells who and what this is [S2-113] [S2-114] [S3-030] [S7-025]', async ({ page, ui, stub }) => {
    stub.answer('GET /api/admin/ui-config', {
      body: {
        name: 'Toggle tower',
        slogan: 'Ship with calm',
        environment: 'production',
        version: '3.17.6',
        versionInfo: {
          current: { oss: '3.17.6', enterprise: '' },
          latest: { oss: '3.18.0' },
          isLatest: false,
          instanceId: '2f9c-instance',
        },
      },
    });
    await page.goto('features');
    for (const text of [
      'Toggle tower',
      '3.17.6',
      'Upgrade available: 3.18.0',
      'Ship with calm',
      'production',
      '2f9c-instance',
    ]) {
      await expect(ui.footer).toContainText(text);
    }
    await expect(page).toHaveTitle('Feature toggles - Toggle tower');
    // The links are there to be followed, into a new window that cannot reach back.
    const sdk = ui.footer.getByRole('link', { name: /node/i });
    await expect(sdk).toHaveAttribute('href', /^https:/);
    await expect(sdk).toHaveAttribute('target', '_blank');
    await expect(sdk).toHaveAttribute('rel', /noopener/);
  });

  stubTest('names the enterprise version before the open-source one [S2-113] [S3-030]', async ({ page, ui, stub }) => {
    const versionInfo = {
      current: { oss: '3.17.6', enterprise: '4.2.1' },
      latest: { enterprise: '4.3.0' },
      isLatest: false,
    };
    stub.answer('GET /api/admin/ui-config', { body: { version: '3.17.6', versionInfo } });
    await page.goto('features');
    await expect(ui.footer).toContainText('Enterprise 4.2.1');
    await expect(ui.footer).toContainText('Upgrade available');
    await expect(ui.footer).not.toContainText('3.17.6');
  });

  stubTest('announces no upgrade that it does not know of [S2-113]', async ({ page, ui }) => {
    await page.goto('features');
    await expect(ui.footer).toContainText('3.17.6');
    await expect(ui.footer).not.toContainText('Upgrade available');
  });

  stubTest('is there from the last visit while the server is slow [S3-031]', async ({ page, ui, stub }) => {
    stub.answer('GET /api/admin/ui-config', { body: { name: 'Toggle tower', slogan: 'Ship with calm', version: '1' } });
    await page.goto('features');
    await expect(ui.footer).toContainText('Ship with calm');
    const answer = gate();
    stub.answer('GET /api/admin/ui-config', async () => {
      await answer.opened;
      return { body: { name: 'Toggle tower', slogan: 'Ship with haste', version: '1' } };
    });
    await page.reload();
    await expect(ui.footer).toContainText('Ship with calm');
    answer.open();
    await expect(ui.footer).toContainText('Ship with haste');
  });
});

stubTest(
  'links of the server have their icons, and addresses are used only when they are harmless [S3-030]',
  { tag: '@stub' },
  async ({ page, ui, stub }) => {
    const links = [
      { value: 'Handbook', icon: 'library_books', href: 'https://example.com/handbook', title: 'Read me' },
      { value: 'Sources', icon: 'c_github', href: 'https://example.com/sources', title: 'Read them' },
      { value: 'Chat', icon: 'no_such_icon', href: 'https://example.com/chat', title: 'Talk' },
      { value: 'Trap', icon: 'warning', href: 'javascript:alert(1)', title: 'Trap' },
    ];
    stub.answer('GET /api/admin/ui-config', { body: { version: '3.17.6', links } });
    await page.goto('features');
    const link = (name: string) => ui.footer.getByRole('link', { name, exact: true });
    await expect(link('Handbook')).toHaveAttribute('href', 'https://example.com/handbook');
    await expect(link('Handbook')).toHaveAttribute('title', 'Read me');
    await expect(link('Handbook').locator('[data-glyph=library_books]')).toBeVisible();
    await expect(link('Sources').locator('[data-glyph=code]')).toBeVisible();
    await expect(link('Chat').locator('svg')).toBeVisible();
    expect(await page.evaluate(() => document.fonts.check('16px "Material Icons"'))).toBe(true);
    await expect(page.locator('[href^="javascript" i]')).toHaveCount(0);
  },
);

stubTest('a fault in a page leaves the frame and a way on', { tag: '@stub' }, async ({ page, ui, stub }) => {
  // No server should answer this; the page must not go white all the same.
  stub.answer('GET /api/admin/features', { body: { version: 1, features: [{ name: {} }] } });
  await page.goto('features');
  await expect(ui.main.getByRole('button', { name: /reload/i })).toBeVisible();
  await ui.menu.getByRole('link', { name: 'Archive' }).click();
  await expect(ui.main.getByRole('heading', { level: 1, name: 'Archive' })).toBeVisible();
});

const HEADERS = [
  { given: 'rgb(1, 128, 64)', shown: [1, 128, 64], text: [255, 255, 255] },
  { given: 'gold', shown: [255, 215, 0], text: [0, 0, 0] },
  // On this one white is read better than black by a hair.
  { given: '#757575', shown: [117, 117, 117], text: [255, 255, 255] },
];

for (const { given, shown, text } of HEADERS) {
  stubTest(`a header in ${given} can be read in both themes [S3-030]`, { tag: '@stub' }, async ({ page, ui, stub }) => {
    stub.answer('GET /api/admin/ui-config', {
      body: { version: '3.17.6', environment: 'production', headerBackground: given },
    });
    const header = page.getByRole('banner');
    await page.goto('features');
    await expect(header.getByRole('button', { name: 'Theme' })).toBeVisible();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect.poll(() => shade(header, 'backgroundColor')).toEqual(shown);
      await expect.poll(() => shade(header.getByText('Flagdeck'), 'color')).toEqual(text);
      await expect.poll(() => shade(header.getByRole('button', { name: 'Theme' }), 'color')).toEqual(text);
      expect(await faults(page), colorScheme).toEqual([]);
      // What opens from it is the page's.
      await header.getByRole('button', { name: 'Theme' }).click();
      const item = page.getByRole('menuitemradio', { name: 'System' });
      await expect(item).toBeVisible();
      expect(await shade(item, 'color')).toEqual(await shade(page.locator('body'), 'color'));
      expect(await faults(page), `menu, ${colorScheme}`).toEqual([]);
      await page.keyboard.press('Escape');
    }
    // What is no colour is left out.
    stub.answer('GET /api/admin/ui-config', {
      body: { version: '3.17.7', headerBackground: 'url(//example.com/x)' },
    });
    await page.reload();
    await expect(ui.footer).toContainText('3.17.7');
    await expect.poll(() => shade(header, 'backgroundColor')).not.toEqual(shown);
  });
}

test.describe('below a base path', () => {
  test.use({ basePath: '/flags/of/us' });

  test('everything works below it and nothing leaves it [S7-003]', async ({ page, ui, flagdeck }) => {
    expect(flagdeck.url).toMatch(/\/flags\/of\/us\/$/);
    const outside: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(flagdeck.url)) outside.push(request.url());
    });
    await page.goto('features/create');
    await ui.nameField.fill('below');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(page).toHaveURL(`${flagdeck.url}features/strategies/below`);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'below' })).toBeVisible();
    await ui.menu.getByRole('link', { name: 'Feature toggles' }).click();
    await expect(page).toHaveURL(`${flagdeck.url}features`);
    await ui.switchOf('below').click();
    await expect(ui.switchOf('below')).not.toBeChecked();
    expect(outside).toEqual([]);
  });
});
