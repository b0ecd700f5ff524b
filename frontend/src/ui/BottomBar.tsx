import type { ComponentProps } from 'react';
import { cx } from '@/lib/cx';

/**
 * Dark bar at the bottom edge of the window, centred on the content. The page keeps its space free: see `--bottom-bar` in
 * `styles.css`. The content uses the colours of the dark theme in both themes. A page has at most one bar.
 */
export function BottomBar({ children, ...section }: ComponentProps<'section'>) {
  return (
    <div ref={reserveSpace} className={POSITION}>
      <section {...section} className={BAR}>
        <div className="dark flex flex-wrap items-center justify-end gap-x-1.5 gap-y-1 text-text">{children}</div>
      </section>
    </div>
  );
}

/** Stores the height that the bar covers in `--bottom-bar`. The height changes when the content wraps. */
function reserveSpace(bar: HTMLElement) {
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty('--bottom-bar', `${bar.offsetHeight}px`));
  observer.observe(bar);
  return () => {
    observer.disconnect();
    style.removeProperty('--bottom-bar');
  };
}

const POSITION = cx(
  'pointer-events-none fixed inset-x-0 bottom-0 z-40 flex justify-center p-2 pb-[max(8px,env(safe-area-inset-bottom))]',
  'sm:p-4 sm:pb-[max(16px,env(safe-area-inset-bottom))] lg:left-menu',
);

const BAR = cx(
  'pointer-events-auto max-w-full rounded-card bg-inverse px-3 py-1.5 shadow-overlay outline-none max-sm:flex-1',
  'transition-[opacity,translate] duration-150 starting:translate-y-2 starting:opacity-0',
);
