/** Possible causes of a `ChunkError`, for messages. */
export const CHUNK_ERROR_CAUSE = 'The connection failed, or a new version was installed.';

/** The code of a page or a dialog could not be loaded. */
export class ChunkError extends Error {
  /** Makes the next render load the code again. Error boundaries call it, because React keeps the failure until then. */
  readonly allowRetry: () => void;

  constructor(cause: unknown, allowRetry: () => void) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.allowRetry = allowRetry;
  }
}
