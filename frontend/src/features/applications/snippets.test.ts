import { expect, test } from 'vitest';
import { sdkLanguages, sdkSnippet } from './snippets';

test.each(sdkLanguages)('the snippet for %s contains the URL of this server once', (library) => {
  const { code, install, label } = sdkSnippet(library, 'https://flags.example.com/deck/api/');
  expect(code.match(/https:\/\/flags\.example\.com\/deck\/api\b/g)).toHaveLength(1);
  expect(code).toContain('my-app');
  expect(`${install}${label}`).not.toBe('');
});
