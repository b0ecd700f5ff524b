// The page that evaluates all toggles for one context, on real servers. Filters, variants and limits:
// ../src/features/evaluation/evaluationPage.test.tsx.

import type { Page } from '@playwright/test';
import { tabTo } from './support/accessibility';
import { expect, test } from './support/fixtures';

const FOR_ADA = { name: 'shop.ada', strategies: [{ name: 'userWithId', parameters: { userIds: 'ada,grace' } }] };
const FOR_ALL = { name: 'shop.all', description: 'A larger basket' };
const SWITCHED_OFF = { name: 'shop.off', enabled: false };

const userId = (page: Page) => page.getByRole('textbox', { name: 'userId', exact: true });
const summary = (page: Page) => page.getByRole('status').filter({ hasText: ' on · ' });

test('shows the result and the reason of each toggle, for the context in the URL and in the form', async ({
  page,
  ui,
  flags,
}) => {
  await flags.create(FOR_ADA, FOR_ALL, SWITCHED_OFF);
  await page.goto('evaluation#userId=ada');
  await expect(ui.row('shop.ada')).toContainText('OnRule 1 matches: ada is listed.');
  await expect(ui.row('shop.all')).toContainText('OnRule 1 matches: everyone gets it.');
  await expect(ui.row('shop.off')).toContainText('OffThe toggle is switched off.');
  await expect(summary(page)).toHaveText('2 on · 1 off');
  await expect(userId(page)).toHaveValue('ada');

  await userId(page).fill('bob');
  await expect(ui.row('shop.ada')).toContainText('OffRule 1 does not match: bob is not listed.');
  await expect(summary(page)).toHaveText('1 on · 2 off');
  await expect(page).toHaveURL(/evaluation#userId=bob$/);
  await page.reload();
  await expect(ui.row('shop.ada')).toContainText('bob is not listed');
  await expect(ui.row('shop.ada').getByRole('link')).toHaveAttribute(
    'href',
    /features\/strategies\/shop\.ada#userId=bob$/,
  );
});

test('works by keyboard', { tag: '@embedded' }, async ({ page, ui, flags }) => {
  await flags.create(FOR_ADA, FOR_ALL);
  await page.goto('features');
  await expect(ui.row('shop.ada')).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('e');
  await expect(page.getByRole('heading', { level: 1, name: 'Evaluation' })).toBeFocused();
  await tabTo(userId(page));
  await page.keyboard.type('ada');
  await page.keyboard.press('Enter');
  await expect(ui.row('shop.ada')).toContainText('ada is listed');
  await tabTo(page.getByRole('group').locator('summary', { hasText: 'More fields' }));
  await page.keyboard.press('Enter');
  await tabTo(page.getByLabel('Other field'));
  await page.keyboard.type('properties');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('inside "properties"');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('plan');
  await page.keyboard.press('Enter');
  await tabTo(page.getByRole('textbox', { name: 'plan' }));
  await page.keyboard.type('gold');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#userId=ada&plan=gold$/);
  await tabTo(page.getByRole('combobox', { name: 'Result' }));
  // A letter chooses in the closed list. An arrow opens the browser's list, which takes an unknown time.
  await page.keyboard.press('o');
  await expect(page).toHaveURL(/evaluation\?result=on#userId=ada&plan=gold$/);
  await tabTo(ui.row('shop.ada').getByRole('link'));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/features\/strategies\/shop\.ada#userId=ada&plan=gold$/);
});

test('on phones a row is a card with the whole reason, and the filters are behind a button', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  const groupId = 'checkout.express-pay';
  const parameters = { rollout: '25', stickiness: 'userId', groupId };
  await flags.create(
    { name: 'shop.off', enabled: false },
    { name: 'shop.pay', strategies: [{ name: 'flexibleRollout', parameters }] },
  );
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('evaluation#userId=4711');
  const reason = ui.row('shop.pay').getByText(/4711 is at \d+ of 100, (above|within) the rollout/);
  await expect(reason).toBeVisible();
  const isCut = await reason.evaluate(
    ({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
      scrollHeight > clientHeight || scrollWidth > clientWidth,
  );
  expect(isCut).toBe(false);
  // A row has the height of its texts, and the first results need no scrolling.
  const heightOf = async (name: string) => (await ui.row(name).boundingBox())?.height ?? 0;
  await expect.poll(() => heightOf('shop.off')).toBeLessThan(80);
  await expect.poll(() => heightOf('shop.pay')).toBeGreaterThan(80);
  await expect(ui.row('shop.pay')).toBeInViewport({ ratio: 1 });
  await expect(page.getByLabel('remoteAddress')).toBeHidden();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await ui.filters.getByLabel('Result').selectOption({ label: 'On for some requests' });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Filter 1 active' })).toBeVisible();
  await expect(ui.row('shop.pay')).toHaveCount(0);
});
