import type { ApiError } from '@/api/error';

/** Returns whether the server rejected the given unique field rather than the request as a whole. */
export function isFieldError(field: string, { status, body }: Pick<ApiError, 'status' | 'body'>): boolean {
  if (status === 409) return true;
  const details = status === 400 && typeof body === 'object' && body && 'details' in body ? body.details : undefined;
  return Array.isArray(details) && details[0]?.path?.[0] === field;
}
