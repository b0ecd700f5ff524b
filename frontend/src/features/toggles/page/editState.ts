/** State of a navigation to the activation tab of a toggle that opens its first rollout. */
export const editState = { isEdit: true };

export function isEditState(state: unknown): boolean {
  return (Object(state) as Partial<typeof editState>).isEdit === true;
}
