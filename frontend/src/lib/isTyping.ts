/** Returns whether focus is in a text field or a dialog, where page shortcuts must not handle the key. */
export function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.matches('input:not([type=checkbox], [type=radio]), textarea, select, [role=dialog] *')
  );
}
