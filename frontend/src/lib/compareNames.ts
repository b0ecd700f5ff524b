/** Compares two names for sorting, in the same order for every language of the browser. */
export const compareNames = new Intl.Collator('en').compare;
