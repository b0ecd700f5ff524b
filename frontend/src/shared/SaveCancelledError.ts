/** A save that was cancelled before a request was sent. The message gives the user the reason. */
export class SaveCancelledError extends Error {}
