// The APIs for clients that receive results only: of the embedded flag service, or of Flagdeck in front of a real server.

import { mkdir, writeFile } from 'node:fs/promises';
import { type Binary, startBinary } from './binary';
import { test as base } from './evaluationScenario';
import { expect } from './fixtures';

/** Rights of a frontend token. */
export interface TokenScope {
  origins?: string[];
  projects?: string[];
  tags?: string[];
}

export interface ResultService {
  /** URL with a trailing slash. */
  url: string;
  token: string;
}

const SECRET = '0123456789abcdef0123456789abcdef';

export const test = base.extend<{ serve: (scope?: TokenScope) => Promise<ResultService> }>({
  /** Creates a frontend token, and starts Flagdeck with it in front of a real server. */
  serve: async ({ page, flagdeck, realServer }, use, testInfo) => {
    const started: Binary[] = [];
    await mkdir(testInfo.outputPath(), { recursive: true });
    await use(async (scope = {}) => {
      if (!realServer) {
        const data = { name: `web-${testInfo.testId}`, kind: 'frontend', ...scope };
        const response = await page.request.post('api/admin/api-tokens', { data });
        expect(response.status(), await response.text()).toBe(201);
        return { url: flagdeck.url, token: (await response.json()).secret };
      }
      const lines = Object.entries({ secret: SECRET, ...scope }).map(
        ([key, value]) => `${key} = ${JSON.stringify(value)}`,
      );
      const write = async (name: string, content: string) => {
        const file = testInfo.outputPath(name);
        await writeFile(file, content);
        return `@${file}`;
      };
      // Version 3 accepts any token.
      const token = await write('token', realServer.clientToken ?? 'none');
      const tokens = await write('tokens.toml', ['[web]', ...lines].join('\n'));
      const settings = ['--upstream', realServer.url, '--upstream-token', token, '--frontend-tokens', tokens];
      const binary = await startBinary(...settings, '--replica-refresh', '200ms');
      started.push(binary);
      return { url: binary.url, token: SECRET };
    });
    for (const binary of started) await binary.stop();
  },
});
