import { type ComponentProps, useLayoutEffect, useRef } from 'react';
import { cx } from '@/lib/cx';
import { isOverlayOpen } from '@/lib/overlays';
import { restoreFocus } from '@/lib/restoreFocus';
import { BOTTOM_POSITION } from './bottomPosition';

/**
 * Dark bar at the bottom edge of the window, centred on the content. The page keeps its space free: see `--bottom-bar` in
 * `styles.css`. The content uses the colours of the dark theme in both themes. A page has at most one bar.
 */
export function BottomBar({ children, ...section }: ComponentProps<'section'>) {
  const bar = useRef<HTMLDivElement>(null);
  // A layout effect: the space is reserved before the browser paints, and the focus moves before the bar is removed.
  useLayoutEffect(() => (bar.current ? setUp(bar.current) : undefined), []);
  return (
    <div ref={bar} className={POSITION}>
      <section {...section} className={BAR}>
        <div className="dark flex flex-wrap items-center justify-end gap-x-1.5 gap-y-1 text-text">{children}</div>
      </section>
    </div>
  );
}

/**
 * Stores the height that the bar covers in `--bottom-bar`; it changes when the content wraps. A field that is edited
 * with the keyboard is scrolled out from under the bar. If the bar is removed with
 * the focused element, the focus returns to the element that had it before the bar, or moves to the page heading.
 */
function setUp(bar: HTMLDivElement): () => void {
  const { style } = document.documentElement;
  const reserve = () => style.setProperty('--bottom-bar', `${bar.offsetHeight}px`);
  const observer = new ResizeObserver(reserve);
  observer.observe(bar);
  // At once: a field that is focused now must not scroll to a position under the bar.
  reserve();
  // The key that shows the bar does not scroll. Pointers never do: nothing may move below them.
  const reveal = () => {
    if (document.activeElement?.matches('input, select, textarea'))
      document.activeElement.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  };
  document.addEventListener('keyup', reveal);
  let focusedBefore: HTMLElement | undefined;
  const move = (event: KeyboardEvent) => {
    // A message at the bottom edge handles the key first, on the document. A dialog keeps the focus inside.
    if (event.key !== 'F6' || event.defaultPrevented || isOverlayOpen('dialog')) return;
    event.preventDefault();
    if (bar.contains(document.activeElement)) focusedBefore?.focus();
    else [...bar.querySelectorAll('button')].at(-1)?.focus();
  };
  window.addEventListener('keydown', move);
  bar.addEventListener('focusin', ({ relatedTarget }) => {
    if (relatedTarget instanceof HTMLElement && !bar.contains(relatedTarget)) focusedBefore = relatedTarget;
  });
  return () => {
    observer.disconnect();
    document.removeEventListener('keyup', reveal);
    window.removeEventListener('keydown', move);
    style.removeProperty('--bottom-bar');
    restoreFocus(bar, () => focusedBefore ?? null);
  };
}

const POSITION = cx(
  BOTTOM_POSITION,
  'bottom-0 z-40 p-2 pb-[max(8px,env(safe-area-inset-bottom))]',
  'sm:p-4 sm:pb-[max(16px,env(safe-area-inset-bottom))]',
);

/** The tap that shows the bar, and a double tap, reach the control below the finger: the bar is not there for them yet. */
const BAR = cx(
  'pointer-events-auto animate-ignore-taps max-w-full rounded-card bg-inverse px-3 py-1.5 shadow-overlay outline-none forced-colors:border max-sm:flex-1',
  'transition-opacity duration-150 starting:opacity-0',
);
