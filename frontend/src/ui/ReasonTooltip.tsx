import { useEffect, useState } from 'react';

interface TooltipState {
  text: string;
  left: number;
  top: number;
}

const WIDTH = 240;
const GAP = 6;

/**
 * Shows why a control does nothing, for whatever carries `data-reason`: one for the whole page, in the top layer,
 * where no table cuts it off. Ears have it from aria-description.
 */
export function ReasonTooltip() {
  // Its code comes late: somebody may be at a control already.
  const [tip, setTip] = useState(() =>
    tooltipFor(document.querySelector('[data-reason]:hover') ?? document.activeElement),
  );
  // The controls are anywhere, so their events are heard where all of them arrive.
  useEffect(() => {
    const show = (event: Event) => setTip(tooltipFor(event.target));
    const hide = () => setTip(undefined);
    document.addEventListener('pointerover', show);
    document.addEventListener('focusin', show);
    document.addEventListener('focusout', hide);
    document.addEventListener('scroll', hide, { capture: true, passive: true });
    return () => {
      document.removeEventListener('pointerover', show);
      document.removeEventListener('focusin', show);
      document.removeEventListener('focusout', hide);
      document.removeEventListener('scroll', hide, { capture: true });
    };
  }, []);
  if (!tip) return null;
  const { text, ...place } = tip;
  return (
    <div
      ref={(popup) => popup?.showPopover()}
      popover="manual"
      aria-hidden="true"
      style={{ ...place, maxWidth: WIDTH }}
      className="pointer-events-none inset-auto m-0 rounded-control bg-inverse px-2.5 py-1.5 font-medium text-label text-on-inverse"
    >
      {text}
    </div>
  );
}

function tooltipFor(target: EventTarget | null): TooltipState | undefined {
  const control = target instanceof Element ? target.closest('[data-reason]') : null;
  const text = control?.getAttribute('data-reason');
  if (!control || !text) return undefined;
  const { left, bottom } = control.getBoundingClientRect();
  return { text, left: Math.max(GAP, Math.min(left, innerWidth - WIDTH - GAP)), top: bottom + GAP };
}
