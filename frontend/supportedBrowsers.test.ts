// The oldest supported browsers are the same in the build, in the sentence for older browsers and in README.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import config from './vite.config';

const target = config.build?.target;

test.each(['public/start.js', '../README.md'])('%s names the browsers of the build target', (file) => {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8');
  const [list = ''] = /Chrome \d.*Safari [\d.]+/.exec(text) ?? [];
  expect(list.toLowerCase().replaceAll(' ', '').split(',')).toEqual(target);
});
