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
 * `data-reason-note` has no tooltip. Tips appear on hover and after Tab.
 */
export function ReasonTooltip() {
  const [tip, setTip] = useState<TooltipState>();
  // The controls are anywhere on the page, so the document listens for their events.
  useEffect(() => {
    // Not when a dialog returns the focus: the user has not asked about the control.
    const show = ({ target, relatedTarget }: FocusEvent) => {
      const left = relatedTarget instanceof Element ? relatedTarget.closest(DIALOG) : null;
      if (!left || (target instanceof Node && left.contains(target))) setTip(findReason(target));
    };
    const showAtPointer = ({ target, pointerType }: PointerEvent) =>
      setTip(findReason(target) ?? (pointerType === 'touch' ? undefined : findTip(target)));
    // The link that covers a row receives all events of the row.
    const showBelowCover = ({ target, pointerType, clientX, clientY }: PointerEvent) => {
      if (pointerType === 'touch' || !(target instanceof Element && target.matches(COVER))) return;
      const found = document.elementsFromPoint(clientX, clientY).flatMap((element) => findTip(element) ?? [])[0];
      setTip((shown) => (shown?.control === found?.control ? shown : found));
    };
    // Not on `focusin`: a menu that closes returns the focus while no other popover can be opened.
    const showAtTab = ({ key, target }: KeyboardEvent) => {
      if (key === 'Tab') setTip(findReason(target) ?? findTip(target));
    };
    const hide = () => setTip(undefined);
    const hideTip = () => setTip((shown) => (shown?.isReason ? shown : undefined));
    document.addEventListener('pointerover', showAtPointer);
    document.addEventListener('pointermove', showBelowCover);
    document.addEventListener('focusin', show);
    document.addEventListener('keyup', showAtTab);
    document.addEventListener('focusout', hide);
    document.addEventListener('click', hideTip);
    document.addEventListener('scroll', hide, { capture: true, passive: true });
    return () => {
      document.removeEventListener('pointerover', showAtPointer);
      document.removeEventListener('pointermove', showBelowCover);
      document.removeEventListener('focusin', show);
      document.removeEventListener('keyup', showAtTab);
      document.removeEventListener('focusout', hide);
      document.removeEventListener('click', hideTip);
      document.removeEventListener('scroll', hide, { capture: true });
    };
  }, []);
  return tip && <Tooltip {...tip} />;
}

const DIALOG = '[role=dialog], [role=alertdialog]';

/** Links that cover a row whose cells have tips. */
const COVER = '[data-cover]';

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
  'pointer-events-none inset-auto mr-2 ml-0 my-1.5 max-w-60 rounded-control bg-inverse px-2.5 py-1.5 forced-colors:border font-medium text-label text-on-inverse',
  '[position-area:bottom_span-right] [position-try-fallbacks:flip-block,flip-inline,flip-block_flip-inline]',
);

function findReason(target: EventTarget | null): TooltipState | undefined {
  const control = findControl(target);
  const text = control?.dataset['reason'];
  return control && text && !isShown(text) ? { text, isReason: true, control } : undefined;
}

/** The button of an open menu has no tip, which would cover the menu. */
function findTip(target: EventTarget | null): TooltipState | undefined {
  const control = findControl(target);
  const { reason, tip } = control?.dataset ?? {};
  return control && control.ariaExpanded !== 'true' && !reason && tip
    ? { text: tip, isReason: false, control }
    : undefined;
}

function findControl(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-reason], [data-tip]') : null;
}

function isShown(text: string): boolean {
  return [...document.querySelectorAll('[data-reason-note]')].some((note) => {
    const { top, bottom } = note.getBoundingClientRect();
    return note.textContent === text && bottom > 0 && top < innerHeight;
  });
}
