import { expect, test } from 'vitest';
import { changedMetadata, metadataErrors } from './metadata';

const stored = { icon: 'apps', url: '', description: 'The shop' };

test.each([
  ['nothing', {}, []],
  ['a first URL', { url: ' https://shop.example.com/ ' }, [{ url: 'https://shop.example.com/' }]],
  ['another icon', { icon: 'home' }, [{ icon: 'home' }]],
  ['white space around the stored value', { description: ' The shop ' }, []],
  [
    'everything',
    { icon: 'home', url: '/shop', description: 'Ours' },
    [{ icon: 'home' }, { url: '/shop' }, { description: 'Ours' }],
  ],
])('sends only changed values: %s [S3-022]', (_, edit, sent) => {
  expect(changedMetadata(stored, { ...stored, ...edit })).toEqual(sent);
});

test.each([
  ['a valid URL', { url: 'https://shop.example.com/' }, { url: undefined, description: undefined }],
  ['a javascript: URL', { url: 'javascript:alert(1)' }, { url: expect.stringContaining('https://') }],
  ['an emptied description', { description: ' ' }, { description: expect.stringContaining('cleared') }],
])('validates %s', (_, edit, errors) => {
  expect(metadataErrors(stored, { ...stored, ...edit })).toMatchObject(errors);
});

test('an unsafe URL that is already stored is not an error', () => {
  const odd = { ...stored, url: 'javascript:alert(1)' };
  expect(metadataErrors(odd, { ...odd, description: 'Ours' }).url).toBeUndefined();
});
