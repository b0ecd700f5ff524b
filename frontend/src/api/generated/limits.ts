// Bounds of values, generated from src/api/limits.rs. Do not edit.
// After a change there: make types

/** Minimum and maximum length of a name in characters. */
export const NAME_LENGTH = { min: 2, max: 100 } as const;
/** Weight of a variant that gets all traffic, in tenths of a percent. */
export const MAX_WEIGHT = 1000;
/** Minimum length of a password in characters. */
export const MIN_PASSWORD_LENGTH = 8;
