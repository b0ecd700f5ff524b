// Classes of the items of Base UI's lists, whose highlight the arrow keys and the pointer move.

/** Element around an item and what belongs to it. */
export const highlightClass =
  'relative rounded-chip has-data-highlighted:forced-selected has-data-highlighted:bg-accent-soft';

/** The item, which covers the element around it. */
export const coverClass = 'truncate outline-none after:absolute after:inset-0';
