import { matchRoutes } from 'react-router-dom';
import { expect, test } from 'vitest';
import { decodeRouteParams } from './useRouteParams';

test.each(['a/b', 'a%2Fb', 'a%2fb', '%252F/', '100 %', 'x'])('decodes the name %s from a path', (name) => {
  const pathname = `/features/view/${encodeURIComponent(name)}`;
  const [match] = matchRoutes([{ path: '/features/:activeTab/:name' }], pathname) ?? [];
  expect(decodeRouteParams(match?.params ?? {}, pathname)).toEqual({ activeTab: 'view', name });
});

test('keeps malformed percent-encoding unchanged', () => {
  expect(decodeRouteParams({ name: '50%' }, '/history/50%')).toEqual({ name: '50%' });
});
