import { expect, test } from 'vitest';
import { sdkApis, sdksOf } from './snippets';

const values = {
  base: 'https://flags.example.com/deck',
  api: 'https://flags.example.com/deck/api/',
  app: 'shop-web',
  toggle: "shop.it's",
  token: 'TOKEN',
};
const all = sdkApis.flatMap((api) => sdksOf[api].map((sdk) => ({ api, ...sdk })));

test.each(all)(
  'the code for $api, $label contains the URL of this server, the token, the toggle and the application once',
  ({ api, call, code, install }) => {
    const text = code(values);
    const url = {
      server: /https:\/\/flags\.example\.com\/deck\/api\/?["']/g,
      browser: /https:\/\/flags\.example\.com\/deck\/api\/frontend'/g,
      openFeature: /https:\/\/flags\.example\.com\/deck["']/g,
    }[api];
    expect(text.match(url)).toHaveLength(1);
    expect(text.match(/https:/g)).toHaveLength(1);
    expect(text.match(/\bTOKEN\b/g)).toHaveLength(1);
    // In single quotes, the apostrophe is escaped.
    expect(text.match(/"shop\.it's"|'shop\.it\\'s'/g)).toHaveLength(1);
    // OpenFeature clients have no name.
    expect(text.match(/["']shop-web["']/g)?.length ?? 0).toBe(api === 'openFeature' ? 0 : 1);
    expect(text).toContain(call(values.toggle));
    expect(install).not.toBe('');
  },
);
