/** Why a save was called off before anything was sent, in words for whoever tried it. */
export class SaveCancelledError extends Error {}
