import type { ApiError } from '@/api/error';
import { isJsonObject } from '@/lib/json';

/** Returns whether the server rejected the given unique field rather than the request as a whole. */
export function isFieldError(field: string, { status, body }: Pick<ApiError, 'status' | 'body'>): boolean {
  if (status === 409) return true;
  if (status !== 400 || !isJsonObject(body) || !Array.isArray(body['details'])) return false;
  const [first]: unknown[] = body['details'];
  if (!isJsonObject(first)) return false;
  const { path, message } = first;
  if (Array.isArray(path)) return path[0] === field;
  // Newer servers send the path as a text, or name the field in the message.
  return path === `/body/${field}` || (typeof message === 'string' && message.startsWith(`"${field}" `));
}
