import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { cx } from '@/lib/cx';

interface TooltipState {
  text: string;
  isReason: boolean;
  control: HTMLElement;
}

/**
 * Tooltip for all elements with `data-reason`, such as the reason of a disabled control, and with `data-tip`, such as the
 * label of an icon or an exact time. One instance for the page, in the top layer, so that tables do not clip it. Screen
 * readers use `aria-description` instead of a reason. A reason that the page shows in an element with
 * `data-reason-note` has no tooltip. Tips are not shown by taps and clicks, which act on their elements.
 */
export function ReasonTooltip() {
  const [tip, setTip] = useState<TooltipState>();
  // The controls are anywhere on the page, so the document listens for their events.
  useEffect(() => {
    const show = (event: Event) => setTip(tooltipFor(event));
    const hide = () => setTip(undefined);
    const hideTip = () => setTip((shown) => (shown?.isReason ? shown : undefined));
    document.addEventListener('pointerover', show);
    document.addEventListener('focusin', show);
    document.addEventListener('focusout', hide);
    document.addEventListener('click', hideTip);
    document.addEventListener('scroll', hide, { capture: true, passive: true });
    return () => {
      document.removeEventListener('pointerover', show);
      document.removeEventListener('focusin', show);
      document.removeEventListener('focusout', hide);
      document.removeEventListener('click', hideTip);
      document.removeEventListener('scroll', hide, { capture: true });
    };
  }, []);
  return tip && <Tooltip {...tip} />;
}

function Tooltip({ text, control }: Pick<TooltipState, 'text' | 'control'>) {
  const popup = useRef<HTMLDivElement>(null);
  // An effect, because a popover is opened by a method. The browser places it beside the control.
  useLayoutEffect(() => {
    const element = popup.current;
    element?.showPopover({ source: control });
    return () => element?.hidePopover();
  }, [control]);
  return (
    <div ref={popup} popover="manual" aria-hidden="true" className={POPUP}>
      {text}
    </div>
  );
}

const POPUP = cx(
  'pointer-events-none inset-auto mx-0 my-1.5 max-w-60 rounded-control bg-inverse px-2.5 py-1.5 forced-colors:border font-medium text-label text-on-inverse',
  '[position-area:bottom_span-right] [position-try-fallbacks:flip-block,flip-inline,flip-block_flip-inline]',
);

function tooltipFor(event: Event): TooltipState | undefined {
  const { target, type } = event;
  const control = target instanceof Element ? target.closest<HTMLElement>('[data-reason], [data-tip]') : null;
  if (!control) return undefined;
  const reason = control.dataset['reason'];
  if (reason) return isShown(reason) ? undefined : { text: reason, isReason: true, control };
  const tip = control.dataset['tip'];
  const isQuiet =
    type === 'focusin'
      ? !control.matches(':focus-visible')
      : event instanceof PointerEvent && event.pointerType === 'touch';
  return tip && !isQuiet ? { text: tip, isReason: false, control } : undefined;
}

function isShown(text: string): boolean {
  return [...document.querySelectorAll('[data-reason-note]')].some((note) => {
    const { top, bottom } = note.getBoundingClientRect();
    return note.textContent === text && bottom > 0 && top < innerHeight;
  });
}
