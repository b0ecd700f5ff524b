// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { cleanPageAfterEach } from '@/testing/page';
import { SearchField } from './SearchField';

cleanPageAfterEach();

test.each([
  ['shop(?=pay)', true],
  ['(?<!a)b', true],
  ['(a)\\1', true],
  ['(?:a|b)', false],
  ['(?=pay', false],
  ['shop', false],
])('the search for %s says that it is searched as text: %s', (value, expected) => {
  render(<SearchField label="Search" value={value} onChange={() => undefined} onCommit={() => undefined} />);
  expect(screen.queryByText(/This is searched as text/) !== null).toBe(expected);
});
