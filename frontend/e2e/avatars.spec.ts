// User images in the header.

import type { Page } from '@playwright/test';
import { test as embeddedTest, expect, stubTest } from './support/fixtures';
import { type ImageServer, startImageServer } from './support/imageServer';

/** The user button in the header. */
const user = (page: Page, name: string) => page.getByRole('banner').getByRole('button', { name });

const isDrawn = (image: HTMLImageElement) => image.complete && image.naturalWidth > 0;

embeddedTest.describe('the embedded service', { tag: '@embedded' }, () => {
  embeddedTest.use({ basePath: '/ops/flags', auth: 'password', durable: true, signedIn: false });

  embeddedTest('serves an image for each user, which the console shows [S3-032]', async ({ page, ui, flagdeck }) => {
    await flagdeck.command(
      ['user', 'add', 'ada', '--name', 'Ada Olsen', '--email', 'ada@secret.example'],
      'correct horse\n',
    );
    const picture = page.waitForResponse('**/-/avatars/**');
    await page.goto('features');
    await ui.signInByPassword('ada', 'correct horse');
    const image = user(page, 'Ada Olsen').locator('img');
    await expect.poll(() => image.evaluate(isDrawn)).toBe(true);
    const response = await picture;
    expect(response.status()).toBe(200);
    expect(new URL(response.url()).pathname).toMatch(/^\/ops\/flags\/-\/avatars\/AO-\d+\.svg$/);
    await expect(user(page, 'Ada Olsen')).not.toContainText('AO');
  });
});

interface ImageFixtures {
  images: ImageServer;
}

const test = stubTest.extend<ImageFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright parses the pattern to find the dependencies of a fixture.
  images: async ({}, use) => {
    const images = await startImageServer();
    await use(images);
    await images.stop();
  },
});

const permissions = ['ADMIN'];

test.describe('an image on another origin', { tag: '@stub' }, () => {
  test('is not requested unless the operator allows its origin [S3-032]', async ({ page, stub, images }) => {
    const imageUrl = `${images.url}/ada.svg`;
    stub.respond('GET /api/admin/user', { body: { email: 'ada.olsen@example.com', imageUrl, permissions } });
    await page.goto('features');
    // The user button appears after the settings, which contain the allowed origins, have loaded.
    await expect(user(page, 'ada.olsen@example.com')).toContainText('AO');
    await expect(user(page, 'ada.olsen@example.com').locator('img')).toHaveCount(0);
    expect(images.requests).toEqual([]);
  });
});

const allowingTest = test.extend({
  settings: async ({ images }, use) => use(['--image-origin', images.url]),
  foreignOrigins: async ({ images }, use) => use([images.url]),
});

allowingTest.describe('an image on an allowed origin', { tag: '@stub' }, () => {
  allowingTest(
    'is shown, and its server receives no referrer and no cookies [S3-032]',
    async ({ page, stub, images }) => {
      const imageUrl = `${images.url}/ada.svg`;
      stub.respond('GET /api/admin/user', { body: { email: 'ada.olsen@example.com', imageUrl, permissions } });
      await page.goto('features');
      const image = user(page, 'ada.olsen@example.com').locator('img');
      await expect.poll(() => image.evaluate(isDrawn)).toBe(true);
      expect(images.requests).toEqual(['/ada.svg']);
      expect(images.disclosed).toEqual([]);
    },
  );

  allowingTest('falls back to the initials if it is missing [S3-032]', async ({ page, stub, images }) => {
    const imageUrl = `${images.url}/missing.svg`;
    stub.respond('GET /api/admin/user', { body: { email: 'ada.olsen@example.com', imageUrl, permissions } });
    await page.goto('features');
    await expect.poll(() => images.requests).toEqual(['/missing.svg']);
    await expect(user(page, 'ada.olsen@example.com').locator('img')).toHaveCount(0);
    await expect(user(page, 'ada.olsen@example.com')).toContainText('AO');
  });
});
