/** Whether a key belongs to what has the focus, a field or a dialog, so that no shortcut of the page may take it. */
export function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.matches('input:not([type=checkbox], [type=radio]), textarea, select, [role=dialog] *')
  );
}
