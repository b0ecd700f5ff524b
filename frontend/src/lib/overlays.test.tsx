// @vitest-environment happy-dom
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { isOverlayOpen, useOverlay } from './overlays';

afterEach(cleanup);

test('a dialog is open from its first render until it closes', () => {
  const { rerender } = renderHook(({ isOpen }) => useOverlay('dialog', isOpen), { initialProps: { isOpen: true } });
  expect([isOverlayOpen(), isOverlayOpen('dialog'), isOverlayOpen('menu')]).toEqual([true, true, false]);
  rerender({ isOpen: false });
  expect(isOverlayOpen()).toBe(false);
});

test('a menu that is removed while it is open does not stay open', () => {
  const { unmount } = renderHook(() => useOverlay('menu', true));
  expect([isOverlayOpen(), isOverlayOpen('dialog'), isOverlayOpen('menu')]).toEqual([true, false, true]);
  unmount();
  expect(isOverlayOpen()).toBe(false);
});

test('an overlay stays open while another one closes', () => {
  renderHook(() => useOverlay('dialog', true));
  const { unmount } = renderHook(() => useOverlay('dialog', true));
  unmount();
  expect(isOverlayOpen('dialog')).toBe(true);
});
