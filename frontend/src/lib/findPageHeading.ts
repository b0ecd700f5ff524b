/** Returns the page's heading, which receives focus when the focused element is removed. */
export function findPageHeading(): HTMLElement | null {
  return document.querySelector<HTMLElement>('main h1[tabindex]') ?? document.querySelector('main');
}
