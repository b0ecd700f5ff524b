// The popover API of the browser, which happy-dom lacks: opening, closing and their events, without layout.

/** Adds the methods and the `popovertarget` attribute. Safe to call again. */
export function installPopovers(): void {
  if ('showPopover' in HTMLElement.prototype) return;
  const open = new WeakSet<Element>();
  const change = (popover: HTMLElement, newState: 'open' | 'closed') => {
    if (open.has(popover) === (newState === 'open')) return;
    const dispatch = (type: string) => popover.dispatchEvent(Object.assign(new Event(type), { newState }));
    dispatch('beforetoggle');
    if (newState === 'open') open.add(popover);
    else open.delete(popover);
    // Browsers queue this event.
    queueMicrotask(() => dispatch('toggle'));
  };
  Object.defineProperties(HTMLElement.prototype, {
    showPopover: { value: showThis, configurable: true },
    hidePopover: { value: hideThis, configurable: true },
  });
  function showThis(this: HTMLElement) {
    change(this, 'open');
  }
  function hideThis(this: HTMLElement) {
    change(this, 'closed');
  }
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[popovertarget]') : null;
    const popover = document.getElementById(button?.getAttribute('popovertarget') ?? '');
    if (popover) change(popover, open.has(popover) ? 'closed' : 'open');
  });
}
