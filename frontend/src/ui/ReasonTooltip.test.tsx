// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { installPopovers } from '@/testing/popovers';
import { Button } from './Button';
import { ReasonTooltip } from './ReasonTooltip';

const REASON = 'You need the permission ADMIN for this.';

installPopovers();
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'showPopover').mockReturnValue();
  vi.spyOn(HTMLElement.prototype, 'hidePopover').mockReturnValue();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test('a tip is shown by the pointer, and hidden by a click, which acts on the element', () => {
  render(
    <>
      <button type="button" data-tip="Edit">
        ✎
      </button>
      <ReasonTooltip />
    </>,
  );
  const button = screen.getByText('✎');
  fireEvent.pointerOver(button);
  expect(tooltip()?.textContent).toBe('Edit');
  fireEvent.click(button);
  expect(tooltip()).toBeNull();
  fireEvent.pointerOver(button, { pointerType: 'touch' });
  expect(tooltip()).toBeNull();
  // A menu that closes returns the focus while no popover can be opened.
  act(() => button.focus());
  expect(tooltip()).toBeNull();
  fireEvent.keyUp(button, { key: 'Tab' });
  expect(tooltip()?.textContent).toBe('Edit');
});

function renderButtons(note?: string) {
  render(
    <>
      <Button disabledReason={REASON}>Archive</Button>
      <Button>Save</Button>
      {note && <p data-reason-note="">{note}</p>}
      <ReasonTooltip />
    </>,
  );
  return { archive: screen.getByText('Archive'), save: screen.getByText('Save') };
}

const tooltip = () => document.querySelector('[popover]');

test('the keyboard shows the reason beside the control, and hides it by leaving the control', () => {
  const { archive } = renderButtons();
  act(() => archive.focus());
  expect(tooltip()?.textContent).toBe(REASON);
  expect(HTMLElement.prototype.showPopover).toHaveBeenCalledExactlyOnceWith({ source: archive });
  act(() => archive.blur());
  expect(tooltip()).toBeNull();
});

test('a pointer or a touch shows the reason; another control and scrolling hide it', () => {
  const { archive, save } = renderButtons();
  fireEvent.pointerOver(archive);
  expect(tooltip()?.textContent).toBe(REASON);
  fireEvent.pointerOver(save);
  expect(tooltip()).toBeNull();
  fireEvent.pointerOver(archive);
  fireEvent.scroll(document);
  expect(tooltip()).toBeNull();
});

test('screen readers get the reason from the control, not from the tooltip', () => {
  const { archive } = renderButtons();
  act(() => archive.focus());
  expect(archive.getAttribute('aria-description')).toBe(REASON);
  expect(tooltip()?.getAttribute('aria-hidden')).toBe('true');
});

test('a reason that the page shows has no tooltip', () => {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(DOMRect.fromRect({ y: 10, height: 20 }));
  const { archive } = renderButtons(REASON);
  act(() => archive.focus());
  expect(tooltip()).toBeNull();
});

test('a dialog that returns the focus shows no reason', () => {
  const { archive } = renderButtons();
  const dialog = document.body.appendChild(document.createElement('div'));
  dialog.setAttribute('role', 'dialog');
  fireEvent.focusIn(archive, { relatedTarget: dialog });
  expect(tooltip()).toBeNull();
  dialog.remove();
  fireEvent.focusIn(archive);
  expect(tooltip()?.textContent).toBe(REASON);
});
