// Renders every scene in each size and theme.

import path from 'node:path';
import { test as base, expect } from '@playwright/test';
import { Ui } from '../support/ui';
import { setFixedTime } from './fixedTime';
import { FOLDER, fileName, SIZES, themesOf } from './folder';
import { scenes } from './scenes';
import { Servers } from './servers';

const test = base.extend<object, { servers: Servers }>({
  servers: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright parses the pattern to find the dependencies of a fixture.
    async ({}, use) => {
      const servers = new Servers();
      await use(servers);
      await servers.stop();
    },
    { scope: 'worker' },
  ],
});

for (const { name, server = 'demo', path: visit, act } of scenes) {
  test(name, async ({ browser, servers }) => {
    const baseURL = await servers.url(server);
    for (const size of SIZES) {
      const { isPhone = false } = size;
      const context = await browser.newContext({ baseURL, reducedMotion: 'reduce', ...size.options });
      const page = await context.newPage();
      await setFixedTime(page, servers.startedAt);
      await page.goto(visit, { waitUntil: 'networkidle' });
      // The page is loaded once it has its heading, which a dialog hides; before, it shows the progress of its code.
      await page.locator('main, [role=dialog]').getByRole('heading').first().waitFor();
      await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
      await act?.({ page, ui: new Ui(page), isPhone });
      for (const { name: theme, ...media } of themesOf(size)) {
        await page.emulateMedia(media);
        await expect(page.locator('html.dark')).toHaveCount(media.colorScheme === 'dark' ? 1 : 0);
        await page.screenshot({
          path: path.join(FOLDER, fileName(name, size.name, theme)),
          animations: 'disabled',
          caret: 'hide',
        });
      }
      // Requests that are still under way cannot be fulfilled after the page is closed.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.close();
    }
  });
}
