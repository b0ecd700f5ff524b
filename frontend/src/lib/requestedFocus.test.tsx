// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FocusRequest, RequestedFocus, useRequestedFocus } from './requestedFocus';

const end = vi.fn();
afterEach(() => {
  cleanup();
  end.mockReset();
});

function Part({ name, isReady = true, isRendered = true }: { name: string; isReady?: boolean; isRendered?: boolean }) {
  const element = useRequestedFocus<HTMLDivElement>(name, isReady);
  return (
    isRendered && (
      <div ref={element}>
        <button type="button">Help</button>
        <input aria-label={name} defaultValue="25" />
      </div>
    )
  );
}

function Page({ request, ...part }: { request?: FocusRequest; isReady?: boolean; isRendered?: boolean }) {
  return (
    <>
      <button type="button">Edit</button>
      <RequestedFocus value={request}>
        <Part name="share" {...part} />
        <Part name="group" />
      </RequestedFocus>
    </>
  );
}

const button = () => screen.getByRole('button', { name: 'Edit' });
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const request = (part: string): FocusRequest => ({ part, from: document.activeElement, end });

let page: ReturnType<typeof render>;
beforeEach(() => {
  page = render(<Page />);
  button().focus();
});

test('the requested part gets the focus in its field, with the value selected', () => {
  page.rerender(<Page request={request('group')} />);
  expect(document.activeElement).toBe(field('group'));
  expect(field('group').selectionEnd).toBe(2);
  expect(end).toHaveBeenCalledTimes(1);
});

test.each([{ isReady: false }, { isRendered: false }])('a part with %j gets it later', (state) => {
  const pending = request('share');
  page.rerender(<Page request={pending} {...state} />);
  expect(document.activeElement).toBe(button());
  expect(end).not.toHaveBeenCalled();
  page.rerender(<Page request={pending} />);
  expect(document.activeElement).toBe(field('share'));
});

test('the focus stays where the user has moved it meanwhile', () => {
  const pending = request('share');
  page.rerender(<Page request={pending} isReady={false} />);
  field('group').focus();
  page.rerender(<Page request={pending} />);
  expect(document.activeElement).toBe(field('group'));
  expect(end).toHaveBeenCalledTimes(1);
});

test('a part gets the focus of an element that was removed', () => {
  const removed = document.body.appendChild(document.createElement('button'));
  removed.focus();
  const pending = request('share');
  removed.remove();
  page.rerender(<Page request={pending} />);
  expect(document.activeElement).toBe(field('share'));
});
