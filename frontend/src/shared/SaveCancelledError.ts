/** A save that was cancelled before a request was sent. The message tells the user why. */
export class SaveCancelledError extends Error {}
