// The page frame as configured by the server and the operator.

import { axeViolations } from './support/accessibility';
import { changeSystemTheme, rgbOf } from './support/colours';
import { expect, stubTest, test } from './support/fixtures';
import { gate } from './support/gate';
import { hasEnvironments } from './support/versions';

stubTest.describe('the footer', { tag: '@stub' }, () => {
  stubTest(
    'shows name, slogan, environment, version and instance id [S2-113] [S2-114] [S3-030] [S7-025]',
    async ({ page, ui, stub }) => {
      stub.respond('GET /api/admin/ui-config', {
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
      // The links open in a new window that has no access to this one.
      const sdk = ui.footer.getByRole('link', { name: /node/i });
      await expect(sdk).toHaveAttribute('href', /^https:/);
      await expect(sdk).toHaveAttribute('target', '_blank');
      await expect(sdk).toHaveAttribute('rel', /noopener/);
    },
  );

  stubTest(
    'shows the enterprise version instead of the open-source one [S2-113] [S3-030]',
    async ({ page, ui, stub }) => {
      const versionInfo = {
        current: { oss: '3.17.6', enterprise: '4.2.1' },
        latest: { enterprise: '4.3.0' },
        isLatest: false,
      };
      stub.respond('GET /api/admin/ui-config', { body: { version: '3.17.6', versionInfo } });
      await page.goto('features');
      await expect(ui.footer).toContainText('Enterprise 4.2.1');
      await expect(ui.footer).toContainText('Upgrade available');
      await expect(ui.footer).not.toContainText('3.17.6');
    },
  );

  stubTest('shows no upgrade if the server reports none [S2-113]', async ({ page, ui }) => {
    await page.goto('features');
    await expect(ui.footer).toContainText('3.17.6');
    await expect(ui.footer).not.toContainText('Upgrade available');
  });

  stubTest('shows the values of the last visit while the server is slow [S3-031]', async ({ page, ui, stub }) => {
    stub.respond('GET /api/admin/ui-config', {
      body: { name: 'Toggle tower', slogan: 'Ship with calm', version: '1' },
    });
    await page.goto('features');
    await expect(ui.footer).toContainText('Ship with calm');
    const response = gate();
    stub.respond('GET /api/admin/ui-config', async () => {
      await response.opened;
      return { body: { name: 'Toggle tower', slogan: 'Ship with haste', version: '1' } };
    });
    await page.reload();
    await expect(ui.footer).toContainText('Ship with calm');
    response.open();
    await expect(ui.footer).toContainText('Ship with haste');
  });
});

stubTest(
  'links of the server have icons, and unsafe URLs are ignored [S3-030]',
  { tag: '@stub' },
  async ({ page, ui, stub }) => {
    const links = [
      { value: 'Handbook', icon: 'library_books', href: 'https://example.com/handbook', title: 'Read me' },
      { value: 'Sources', icon: 'c_github', href: 'https://example.com/sources', title: 'Read them' },
      { value: 'Chat', icon: 'no_such_icon', href: 'https://example.com/chat', title: 'Talk' },
      { value: 'Trap', icon: 'warning', href: 'javascript:alert(1)', title: 'Trap' },
    ];
    stub.respond('GET /api/admin/ui-config', { body: { version: '3.17.6', links } });
    await page.goto('features');
    const link = (name: string) => ui.footer.getByRole('link', { name, exact: true });
    await expect(link('Handbook')).toHaveAttribute('href', 'https://example.com/handbook');
    await expect(link('Handbook')).toHaveAttribute('title', 'Read me');
    await expect(link('Handbook').locator('[data-glyph=library_books]')).toBeVisible();
    await expect(link('Sources').locator('[data-glyph=code]')).toBeVisible();
    await expect(link('Chat').locator('svg')).toBeVisible();
    await expect.poll(() => page.evaluate(() => document.fonts.check('16px "Material Icons"'))).toBe(true);
    await expect(page.locator('[href^="javascript" i]')).toHaveCount(0);
  },
);

stubTest('an error in a page keeps the navigation usable', { tag: '@stub' }, async ({ page, ui, stub }) => {
  // No server should send this. The page must still not be blank.
  stub.respond('GET /api/admin/features', { body: { version: 1, features: [{ name: {} }] } });
  await page.goto('features');
  await expect(ui.main.getByRole('button', { name: /reload/i })).toBeVisible();
  await ui.menu.getByRole('link', { name: 'Archive' }).click();
  await expect(ui.main.getByRole('heading', { level: 1, name: 'Archive' })).toBeVisible();
});

const HEADERS = [
  { given: 'rgb(1, 128, 64)', shown: [1, 128, 64], text: [255, 255, 255] },
  { given: 'gold', shown: [255, 215, 0], text: [0, 0, 0] },
  // White has slightly more contrast than black on this colour.
  { given: '#757575', shown: [117, 117, 117], text: [255, 255, 255] },
];

for (const { given, shown, text } of HEADERS) {
  stubTest(`a header in ${given} is readable in both themes [S3-030]`, { tag: '@stub' }, async ({ page, ui, stub }) => {
    stub.respond('GET /api/admin/ui-config', {
      body: { version: '3.17.6', environment: 'production', headerBackground: given },
    });
    const header = page.getByRole('banner');
    await page.goto('features');
    await expect(header.getByRole('button', { name: 'Theme' })).toBeVisible();
    // The colour identifies the environment.
    await expect(ui.environmentLine).toHaveCount(0);
    for (const colorScheme of ['light', 'dark'] as const) {
      await changeSystemTheme(page, colorScheme);
      await expect.poll(() => rgbOf(header, 'backgroundColor')).toEqual(shown);
      await expect.poll(() => rgbOf(header.getByText('Flagdeck'), 'color')).toEqual(text);
      await expect.poll(() => rgbOf(header.getByRole('button', { name: 'Theme' }), 'color')).toEqual(text);
      expect(await axeViolations(page), colorScheme).toEqual([]);
      // The menu has the colours of the page, not of the header.
      await header.getByRole('button', { name: 'Theme' }).click();
      const item = page.getByRole('menuitemradio', { name: 'System' });
      await expect(item).toBeVisible();
      const bodyColour = await rgbOf(page.locator('body'), 'color');
      await expect.poll(() => rgbOf(item, 'color')).toEqual(bodyColour);
      expect(await axeViolations(page), `menu, ${colorScheme}`).toEqual([]);
      await page.keyboard.press('Escape');
    }
    // An invalid colour is ignored.
    stub.respond('GET /api/admin/ui-config', {
      body: { version: '3.17.7', headerBackground: 'url(//example.com/x)' },
    });
    await page.reload();
    await expect(ui.footer).toContainText('3.17.7');
    await expect.poll(() => rgbOf(header, 'backgroundColor')).not.toEqual(shown);
  });
}

test.describe('below a base path', () => {
  test.use({ basePath: '/flags/of/us' });

  test('all requests stay below it [S7-003]', async ({ page, ui, flagdeck, version }) => {
    expect(flagdeck.url).toMatch(/\/flags\/of\/us\/$/);
    const outside: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(flagdeck.url)) outside.push(request.url());
    });
    await page.goto('features/create');
    await ui.nameField.fill('below');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    if (hasEnvironments(version)) await ui.dialog.getByRole('button', { name: 'Add rollout and enable' }).click();
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
