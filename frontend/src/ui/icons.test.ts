import { expect, test } from 'vitest';

const sources = import.meta.glob<string>('../**/*.{ts,tsx}', { eager: true, query: '?raw', import: 'default' });

test('only this module imports the icon library', () => {
  const importing = Object.entries(sources).filter(([, source]) => /from 'lucide-react/u.test(source));
  expect(importing.map(([file]) => file)).toEqual(['./icons.tsx']);
});
