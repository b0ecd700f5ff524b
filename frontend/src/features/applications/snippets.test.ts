import { expect, test } from 'vitest';
import { sdkApis, sdksOf } from './snippets';

const urls = { base: 'https://flags.example.com/deck', api: 'https://flags.example.com/deck/api/' };
const all = sdkApis.flatMap((api) => sdksOf[api].map((sdk) => ({ api, ...sdk })));

test.each(all)(
  'the code for $api, $label contains the URL of this server and the token once',
  ({ api, code, install }) => {
    const text = code(urls);
    const url = {
      server: /https:\/\/flags\.example\.com\/deck\/api\/?["']/g,
      browser: /https:\/\/flags\.example\.com\/deck\/api\/frontend'/g,
      openFeature: /https:\/\/flags\.example\.com\/deck["']/g,
    }[api];
    expect(text.match(url)).toHaveLength(1);
    expect(text.match(/https:/g)).toHaveLength(1);
    expect(text.match(/\bTOKEN\b/g)).toHaveLength(1);
    expect(text).toContain('my.toggle');
    expect(install).not.toBe('');
  },
);
