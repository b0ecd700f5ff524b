import { type ReactNode, useCallback, useRef } from 'react';
import { cx } from '@/lib/cx';
import { isEnter } from '@/lib/keyboard';
import { useOverlay } from '@/lib/overlays';
import { findReturnTarget, useRestoreFocus } from '@/lib/restoreFocus';
import { SearchIcon } from '@/ui/icons';
import { changePalette, closeCommands, type OpenPalette } from '@/layout/commands';

/** The palette while its code loads: what is typed is kept. */
export function LoadingPalette({ query, origin }: OpenPalette) {
  const popup = useRef<HTMLDivElement>(null);
  useOverlay('dialog', true);
  useRestoreFocus(
    popup,
    useCallback(() => findReturnTarget(origin), [origin]),
  );
  return (
    <>
      <div className={paletteBackdropClass} />
      <div ref={popup} role="dialog" aria-label="Command palette" className={palettePopupClass}>
        <PaletteFieldFrame>
          <input
            {...paletteField}
            value={query}
            onChange={({ target }) => changePalette({ query: target.value, isSubmitted: false })}
            onKeyDown={(event) => {
              if (event.key === 'Escape') closeCommands();
              if (event.key === 'Tab') event.preventDefault();
              if (isEnter(event.nativeEvent)) changePalette({ isSubmitted: true });
            }}
          />
        </PaletteFieldFrame>
        <p role="status" className="px-4 py-6 text-center text-muted">
          Loading…
        </p>
      </div>
    </>
  );
}

export function PaletteFieldFrame({ children }: { children: ReactNode }) {
  return (
    <div className="relative flex items-center border-line border-b">
      <SearchIcon size={17} className="pointer-events-none absolute left-4 text-faint" />
      {children}
    </div>
  );
}

/** Has the focus from its first render, so that no key gets lost. */
export const paletteField = {
  'aria-label': 'Search or run a command',
  autoFocus: true,
  placeholder: 'Search, or type a command, e.g. "disable shop.basket"',
  className: 'h-12 w-full min-w-0 rounded-t-card bg-transparent pr-4 pl-11 text-section outline-none',
};

export const paletteBackdropClass = 'fixed inset-0 z-50 bg-backdrop';

export const palettePopupClass = cx(
  'fixed inset-x-4 top-[12vh] z-50 mx-auto flex max-h-[min(560px,76vh)] max-w-[600px] flex-col max-sm:top-4',
  'rounded-card border border-line bg-surface shadow-overlay outline-none',
);
