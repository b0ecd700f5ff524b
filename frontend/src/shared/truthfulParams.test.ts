import { matchRoutes } from 'react-router-dom';
import { expect, test } from 'vitest';
import { truthfulParams } from './truthfulParams';

test.each(['a/b', 'a%2Fb', 'a%2fb', '%252F/', '100 %', 'x'])('%s survives the way through an address', (name) => {
  const pathname = `/features/view/${encodeURIComponent(name)}`;
  const [match] = matchRoutes([{ path: '/features/:activeTab/:name' }], pathname) ?? [];
  expect(truthfulParams(match?.params ?? {}, pathname)).toEqual({ activeTab: 'view', name });
});

test('what cannot be decoded stays as it was typed', () => {
  expect(truthfulParams({ name: '50%' }, '/history/50%')).toEqual({ name: '50%' });
});
