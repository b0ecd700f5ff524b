// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { installFakeServer } from '@/testing/fakeServer';
import { cleanPageAfterEach } from '@/testing/page';
import { createToggle, serveConsole } from '@/testing/flagService';
import { renderConsole } from '@/testing/renderConsole';
import { writeYaml } from './writeYaml';

const server = installFakeServer();
cleanPageAfterEach();

test('segments are sent with toggles that have some, because files name them', async () => {
  const segments = [{ id: 3, name: 'EU', description: '', constraints: [] }];
  serveConsole(server());
  server().on('GET api/admin/segments', { body: { version: 1, segments } });
  server().on('POST -/files', { body: { yaml: 'version: 1' } });
  await renderConsole('/features');
  const plain = createToggle({ name: 'plain' });
  const limited = createToggle({ name: 'limited', strategies: [{ name: 'default', parameters: {}, segments: [3] }] });
  expect(await writeYaml([plain], { hasState: false })).toBe('version: 1');
  await writeYaml([limited], { hasState: true });
  const bodies = server().requests.flatMap(({ line, body }) => (line === 'POST -/files' ? [body] : []));
  expect(bodies).toEqual([
    { toggles: [plain], segments: [], state: false },
    { toggles: [limited], segments, state: true },
  ]);
});
