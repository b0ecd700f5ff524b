// @vitest-environment happy-dom
import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
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

function Search({ onCommit }: { onCommit: (text: string) => void }) {
  const [value, setValue] = useState('');
  return <SearchField label="Search" value={value} onChange={setValue} onCommit={onCommit} />;
}

test.each([{ isComposing: true }, { keyCode: 229 }])(
  'Enter that confirms a composition keeps the text and does not apply it: %j',
  async (key) => {
    const onCommit = vi.fn();
    render(<Search onCommit={onCommit} />);
    const user = userEvent.setup({ delay: null });
    const field = screen.getByLabelText<HTMLInputElement>('Search');
    await user.type(field, 'にほん');
    const enter = createEvent.keyDown(field, { key: 'Enter', ...key });
    fireEvent(field, enter);
    expect([field.value, enter.defaultPrevented]).toEqual(['にほん', false]);
    expect(onCommit).not.toHaveBeenCalled();
    await user.keyboard('{Enter}');
    expect(onCommit.mock.calls).toEqual([['にほん']]);
  },
);
