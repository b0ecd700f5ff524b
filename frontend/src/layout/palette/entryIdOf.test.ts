import { expect, test } from 'vitest';
import { paths } from '@/paths';
import { entryIdOf } from './entryIdOf';

const NAME = 'a/b %?#c';

test.each([
  [paths.toggle(NAME), `toggle:${NAME}`],
  [paths.toggle(NAME, 'history'), `toggle:${NAME}`],
  [paths.strategy(NAME, 'edit'), `strategy:${NAME}`],
  [paths.application(NAME), `application:${NAME}`],
  [paths.archive(), 'page:/archive'],
  [paths.createToggle(), 'page:/features/create'],
])('the entry of %s is %s', (path, id) => {
  expect(entryIdOf(path)).toBe(id);
});
