import { cx } from '@/lib/cx';

/** Class of a row or an area with controls of the class `atHandClass`. */
export const nearClass = 'group/near';

/**
 * Class of a control that appears while the pointer or the focus is in its row or area. It keeps its place and stays reachable by
 * Tab. On touch screens it is always visible.
 */
export const atHandClass = cx(
  '[@media(hover:hover)]:sm:opacity-0',
  'group-hover/near:opacity-100 group-focus-within/near:opacity-100',
);
