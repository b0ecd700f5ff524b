import process from 'node:process';

/**
 * With `FLAGDECK_SLOWDOWN=4` the page has a quarter of the processor, and all limits of time are four times as long. Finds
 * tests that continue before the page has settled.
 */
export const SLOWDOWN = Number(process.env['FLAGDECK_SLOWDOWN'] ?? 1);

/** Limit of an expectation that is one try of several. */
export const ONE_TRY = { timeout: 500 * SLOWDOWN };

/** Limit of an expectation about data that services store with a delay of seconds, such as metrics and applications. */
export const STORED = { timeout: 25_000 * SLOWDOWN };
