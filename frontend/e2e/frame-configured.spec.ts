// The page frame as configured by the server and the operator. The footer: src/testing/deployments.test.tsx.

import { axeViolations } from './support/accessibility';
import { changeSystemTheme, rgbOf } from './support/colours';
import { expect, stubTest, test } from './support/fixtures';
import { gate } from './support/gate';
import { hasEnvironments } from './support/versions';

stubTest.describe('the footer', { tag: '@stub' }, () => {
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

const HEADERS = [
  { given: 'gold', shown: [255, 215, 0], text: [0, 0, 0], tag: ['@stub'] },
  { given: 'rgb(1, 128, 64)', shown: [1, 128, 64], text: [255, 255, 255], tag: ['@stub', '@ci'] },
  // White has slightly more contrast than black on this colour.
  { given: '#757575', shown: [117, 117, 117], text: [255, 255, 255], tag: ['@stub', '@ci'] },
];

for (const { given, shown, text, tag } of HEADERS) {
  stubTest(`a header in ${given} is readable in both themes [S3-030]`, { tag }, async ({ page, ui, stub }) => {
    stub.respond('GET /api/admin/ui-config', {
      body: { version: '3.17.6', environment: 'production', headerBackground: given },
    });
    const header = page.getByRole('banner');
    await page.goto('features');
    await expect(header.getByRole('button', { name: 'Date and number format' })).toBeVisible();
    // The colour identifies the environment.
    await expect(ui.environmentLine).toHaveCount(0);
    for (const colorScheme of ['light', 'dark'] as const) {
      await changeSystemTheme(page, colorScheme);
      await expect.poll(() => rgbOf(header, 'backgroundColor')).toEqual(shown);
      await expect.poll(() => rgbOf(header.getByText('Flagdeck'), 'color')).toEqual(text);
      await expect
        .poll(() => rgbOf(header.getByRole('button', { name: 'Date and number format' }), 'color'))
        .toEqual(text);
      expect(await axeViolations(page), colorScheme).toEqual([]);
      // The menu has the colours of the page, not of the header.
      await header.getByRole('button', { name: 'Date and number format' }).click();
      const item = page.getByRole('menuitemradio', { name: /^Deutsch/ });
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

test.describe('below a base path', { tag: '@reach' }, () => {
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
