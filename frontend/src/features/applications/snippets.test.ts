import { expect, test } from 'vitest';
import { libraries, snippet } from './snippets';

test.each(libraries)('the snippet for %s asks this server, once', (library) => {
  const { code, install, label } = snippet(library, 'https://flags.example.com/deck/api/');
  expect(code.match(/https:\/\/flags\.example\.com\/deck\/api\b/g)).toHaveLength(1);
  expect(code).toContain('my-app');
  expect(`${install}${label}`).not.toBe('');
});
