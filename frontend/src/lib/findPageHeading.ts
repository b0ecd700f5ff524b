/** Where focus goes when what had it is gone: the top of what the page is about. */
export function findPageHeading(): HTMLElement | null {
  return document.querySelector<HTMLElement>('main h1[tabindex]') ?? document.querySelector('main');
}
