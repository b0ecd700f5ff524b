// Accessibility checks: axe, overflowing or covered elements, and keyboard navigation.

import type { Locator, Page } from '@playwright/test';
import axe from 'axe-core';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

interface Look {
  colorScheme: 'light' | 'dark';
  width: number;
  /** Tags of a test for this look. */
  tag: string[];
}

/**
 * Combinations that cover each theme and width once: contrast depends on the theme, structure on the width. The unit test
 * `contrast.test.ts` checks all colours in both themes. Tests of the second run only in continuous integration.
 */
export const LOOKS: readonly [Look, Look] = [
  { colorScheme: 'light', width: 1280, tag: [] },
  { colorScheme: 'dark', width: 360, tag: ['@ci'] },
];

/** Returns the axe violations of the page in its current state, and an entry if the page is wider than the window. */
export async function axeViolations(page: Page): Promise<string[]> {
  await animationsEnd(page);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }));
  const found = violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return overflow > 0 ? [...found, `the page is ${overflow} px wider than its window`] : found;
}

/**
 * Waits for running animations, because half-transparent text has too little contrast. It asks in each frame, because
 * Chromium does not settle the promise of an animation whose element is hidden meanwhile.
 */
async function animationsEnd(page: Page): Promise<void> {
  // A transition starts in the frame after its element appeared.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every((one) => one.playState !== 'running' || Number(one.effect?.getComputedTiming().endTime) === Infinity),
  );
}

/**
 * Returns elements that cannot be used or read at any scroll position: controls outside the page or covered by other
 * elements, and text that is cut off without an ellipsis.
 */
export async function unreachableElements(page: Page): Promise<string[]> {
  // After a change of the viewport, components that depend on its width render again in the next frame.
  await animationsEnd(page);
  return page.evaluate(() => {
    const nameOf = (one: Element) =>
      `${one.tagName} ${(one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 40)}`;
    const isHit = (one: Element, { x, y, width, height }: DOMRect) => {
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      // The input of a slider is hidden inside its thumb.
      const isThumb = one instanceof HTMLInputElement && one.type === 'range' && one.parentElement === hit;
      return hit !== null && (one.contains(hit) || isThumb || hit.closest('label')?.contains(one) === true);
    };
    const controls = [
      ...document.querySelectorAll(
        'a[href]:not([href$="#main"]), button, input:not([aria-hidden=true]), select, textarea',
      ),
    ];
    const unreachable = controls.filter((one) => {
      if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
      one.scrollIntoView({ block: 'center' });
      const box = one.getBoundingClientRect();
      return box.left < 0 || box.right > innerWidth || !isHit(one, box);
    });
    const cut = [...document.querySelectorAll('body *')].filter((one) => {
      const { overflowX, textOverflow } = getComputedStyle(one);
      const hasText = [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
      const hides = (overflowX === 'hidden' || overflowX === 'clip') && textOverflow !== 'ellipsis';
      return hasText && hides && one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1;
    });
    window.scrollTo(0, 0);
    return [
      ...unreachable.map((one) => `out of reach: ${nameOf(one)}`),
      ...cut.map((one) => `cut off: ${nameOf(one)}`),
      ...(document.documentElement.scrollWidth > innerWidth ? ['wider than the window'] : []),
    ];
  });
}

/**
 * Returns the controls that show no outline when they have the keyboard focus: neither the control itself, nor the
 * element that represents it, which is an ancestor (a field with several parts) or a sibling (the track of a switch).
 */
export async function controlsWithoutFocusRing(page: Page): Promise<string[]> {
  // The browser shows the focus of a script only after the keyboard was used.
  await page.keyboard.press('Tab');
  return page.evaluate(() => {
    const hasOutline = (one: Element) => {
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one);
      return (
        outlineStyle !== 'none' &&
        Number.parseFloat(outlineWidth) >= 2 &&
        !/^rgba.*, 0\)$|transparent/.test(outlineColor)
      );
    };
    const controls = [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary')];
    const unmarked = controls.filter((one) => {
      if (one.tabIndex < 0 || one.matches(':disabled') || !one.checkVisibility({ visibilityProperty: true }))
        return false;
      one.focus({ preventScroll: true });
      if (document.activeElement !== one) return false;
      const represents = [
        one,
        ...(one.parentElement?.children ?? []),
        one.parentElement,
        one.parentElement?.parentElement,
        // The row cursor outlines the whole row.
        one.closest('tr'),
      ];
      return !represents.some((other) => other && hasOutline(other));
    });
    return unmarked.map((one) => one.outerHTML.slice(0, 120));
  });
}

/** Presses Tab until the control has the focus. */
export async function tabTo(control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  // A search by role takes longer than a key press, so it is repeated only if the page replaced the element.
  let element = await control.elementHandle();
  for (let presses = 0; presses < 120; presses += 1) {
    const state = await element?.evaluate((one) => ({
      hasFocus: one === document.activeElement,
      isConnected: one.isConnected,
    }));
    if (state?.hasFocus) return;
    if (!state?.isConnected) element = await control.elementHandle();
    else await control.page().keyboard.press(key);
  }
  throw new Error(`Pressing ${key} 120 times did not reach ${control}`);
}
