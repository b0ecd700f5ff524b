// Accessibility checks: axe, overflowing or covered elements, and keyboard navigation.

import type { Locator, Page } from '@playwright/test';
import axe from 'axe-core';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** Combinations that cover each theme and width once: contrast depends on the theme, structure on the width. */
export const LOOKS = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 360 },
] as const;

/** Returns the accessibility violations of the page in its current state. */
export async function faults(page: Page): Promise<string[]> {
  await animationsEnd(page);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }));
  const found = violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  return excess > 0 ? [...found, `the page is ${excess} px wider than its window`] : found;
}

/** Waits for what is opening: half-transparent text has too little contrast. */
async function animationsEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // A transition starts in the frame after its element appeared.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const finite = document.getAnimations().filter((one) => Number(one.effect?.getComputedTiming().endTime) < Infinity);
    await Promise.allSettled(finite.map((one) => one.finished));
  });
}

/**
 * Returns elements that cannot be used or read at any scroll position: controls outside the page or covered by other
 * elements, and text that is cut off without an ellipsis.
 */
export async function outOfReach(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const nameOf = (one: Element) =>
      `${one.tagName} ${(one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 40)}`;
    const isHit = (one: Element, { x, y, width, height }: DOMRect) => {
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      return hit !== null && (one.contains(hit) || hit.closest('label')?.contains(one) === true);
    };
    const controls = [...document.querySelectorAll('a[href]:not([href$="#main"]), button, input, select, textarea')];
    const lost = controls.filter((one) => {
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
      ...lost.map((one) => `out of reach: ${nameOf(one)}`),
      ...cut.map((one) => `cut off: ${nameOf(one)}`),
      ...(document.documentElement.scrollWidth > innerWidth ? ['wider than the window'] : []),
    ];
  });
}

/** Presses Tab until the control has the focus. */
export async function tabTo(control: Locator): Promise<void> {
  // A search by role takes longer than the key: the element is found once, and again if the page replaced it.
  let element = await control.elementHandle();
  for (let presses = 0; presses < 60; presses += 1) {
    const state = await element?.evaluate((one) => ({
      hasFocus: one === document.activeElement,
      isConnected: one.isConnected,
    }));
    if (state?.hasFocus) return;
    if (!state?.isConnected) element = await control.elementHandle();
    else await control.page().keyboard.press('Tab');
  }
  throw new Error(`60 times Tab did not reach ${control}`);
}
