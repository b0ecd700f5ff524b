import { expect, test } from 'vitest';
import { changedMetadata, metadataErrors } from './metadata';

const stored = { icon: 'apps', url: '', description: 'The shop' };

test.each([
  ['nothing', {}, []],
  ['a first address', { url: ' https://shop.example.com/ ' }, [{ url: 'https://shop.example.com/' }]],
  ['another icon', { icon: 'home' }, [{ icon: 'home' }]],
  ['spaces around what is stored', { description: ' The shop ' }, []],
  [
    'everything',
    { icon: 'home', url: '/shop', description: 'Ours' },
    [{ icon: 'home' }, { url: '/shop' }, { description: 'Ours' }],
  ],
])('what is sent of %s [S3-022]', (_what, edit, sent) => {
  expect(changedMetadata(stored, { ...stored, ...edit })).toEqual(sent);
});

test.each([
  ['an address that is one', { url: 'https://shop.example.com/' }, { url: undefined, description: undefined }],
  ['a script', { url: 'javascript:alert(1)' }, { url: expect.stringContaining('https://') }],
  ['an emptied description', { description: ' ' }, { description: expect.stringContaining('empty') }],
])('what is said about %s', (_what, edit, errors) => {
  expect(metadataErrors(stored, { ...stored, ...edit })).toMatchObject(errors);
});

test('an address that was stored by somebody else is left alone', () => {
  const odd = { ...stored, url: 'javascript:alert(1)' };
  expect(metadataErrors(odd, { ...odd, description: 'Ours' }).url).toBeUndefined();
});
