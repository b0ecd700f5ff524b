// Incomplete responses: missing fields and null instead of lists must not break a page. All pages:
// src/testing/incompleteResponses.test.tsx.

import { WITH_NULLS } from '../src/testing/responses';
import { expect, stubTest as test } from './support/fixtures';

test('the pages of a toggle render although the server sends null instead of lists', { tag: '@stub' }, async ({
  page,
  ui,
  stub,
}) => {
  stub.respond('GET /api/admin/features', { body: { features: [WITH_NULLS] } });
  await page.goto('features');
  await ui.expectNames('shop.basket');
  for (const [tab, text] of [
    ['strategies', 'userId'],
    ['variants', 'blue'],
    ['view', 'shop.basket'],
  ] as const) {
    await page.goto(`features/${tab}/shop.basket`);
    await expect(ui.main).toContainText(text);
    await expect(ui.main.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(ui.main.getByRole('alert')).toHaveCount(0);
  }
});
