import type { ApiError } from '@/api/error';

/** Whether what was refused is the field that must be unique, rather than the thing as a whole. */
export function isFieldError(field: string, { status, body }: Pick<ApiError, 'status' | 'body'>): boolean {
  if (status === 409) return true;
  const details = status === 400 && typeof body === 'object' && body && 'details' in body ? body.details : undefined;
  return Array.isArray(details) && details[0]?.path?.[0] === field;
}
