// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { button, click, dialog } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { createToggle, serveConsole } from '@/testing/flagService';
import { cleanPageAfterEach } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

test('a new override has the focus in its values, also the second one', async () => {
  serveConsole(server(), [createToggle({ name: 'shop.basket' })]);
  await renderConsole('/features/variants/shop.basket');
  await click(button('Add variant'));
  for (const index of [0, 1]) {
    await click(dialog().getByRole('button', { name: 'Add override' }));
    expect(document.activeElement).toBe(dialog().getAllByLabelText('Values')[index]);
  }
});
