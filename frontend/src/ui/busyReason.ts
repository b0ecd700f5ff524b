/** The reason why a busy dialog cannot be closed. */
export const BUSY = 'Wait for the request to finish.';
