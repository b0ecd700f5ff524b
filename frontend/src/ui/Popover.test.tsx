// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { installPopovers } from '@/testing/popovers';
import { Popover } from './Popover';

beforeEach(installPopovers);
afterEach(cleanup);

const trigger = () => screen.getByRole('button', { name: /^Filter/ });

async function open() {
  trigger().focus();
  fireEvent.click(trigger());
  await act(async () => undefined);
}

test('renders its content only while it is open', async () => {
  const content = vi.fn(() => <p>Content</p>);
  render(<Popover label="Filter">{content}</Popover>);
  expect(content).not.toHaveBeenCalled();
  expect(trigger().getAttribute('aria-expanded')).toBe('false');
  await open();
  expect(screen.getByRole('group', { name: 'Filter' }).textContent).toBe('Content');
  expect(trigger().getAttribute('aria-expanded')).toBe('true');
});

test('focuses the chosen option', async () => {
  render(
    <Popover label="Filter">
      {() => (
        <>
          <button type="button">Clear</button>
          <input type="radio" aria-label="All" name="state" />
          <input type="radio" aria-label="On" name="state" defaultChecked />
        </>
      )}
    </Popover>,
  );
  await open();
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'On' }));
});

test('shows the number of active choices', () => {
  const { container } = render(
    <Popover label="Filter" count={2}>
      {() => null}
    </Popover>,
  );
  expect(container.textContent).toBe('Filter2 active');
});
