// The layout of strategy parameters. Their editors: ../src/features/toggles/activation/strategyFields.test.tsx.

import { expect, test } from './support/fixtures';

test('a boolean parameter has its label, switch and description at the left edge, like other fields', {
  tag: '@embedded',
}, async ({ page, ui, flags }) => {
  const parameters = [
    { name: 'from', type: 'number', description: 'First hour', required: true },
    { name: 'until', type: 'number', description: 'Last hour', required: true },
    { name: 'holidays', type: 'boolean', description: 'On holidays too', required: false },
  ];
  await flags.post('admin/strategies', { name: 'openingHours', description: '', parameters });
  try {
    await flags.create({ name: 'shop.basket', strategies: [{ name: 'openingHours', parameters: {} }] });
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await ui.activation.open('shop.basket');
      const card = ui.activation.strategy('openingHours');
      const holidays = card.getByRole('switch', { name: 'Holidays' });
      await expect(holidays).toHaveAccessibleDescription('On holidays too');
      const from = await card.getByLabel('From').boundingBox();
      const parts = [
        card.getByText('Holidays', { exact: true }),
        holidays.locator('..'),
        card.getByText('On holidays too'),
      ];
      for (const part of parts)
        await expect.poll(async () => (await part.boundingBox())?.x).toBeCloseTo(from?.x ?? Number.NaN, 0);
      await card.getByText('Holidays', { exact: true }).click();
      await expect(holidays).toBeChecked();
      await page.getByRole('button', { name: 'Clear all' }).click();
    }
  } finally {
    await flags.remove('admin/strategies/openingHours');
  }
});
