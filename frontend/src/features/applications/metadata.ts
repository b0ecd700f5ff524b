// What people say about an application, beyond what it says itself.
import type { ApplicationMetadata } from '@/api/endpoints';
import type { Application } from '@/api/generated/types';
import { safeHref } from '@/lib/address';

export const DEFAULT_ICON = 'apps';

export interface MetadataInput {
  icon: string;
  url: string;
  description: string;
}

export function toMetadataInput({ icon, url, description }: Application): MetadataInput {
  return { icon: icon?.trim() || DEFAULT_ICON, url: url ?? '', description: description ?? '' };
}

const CANNOT_CLEAR = 'Servers ignore an empty value: what is stored cannot be taken away, only replaced.';

export function metadataErrors(stored: MetadataInput, { url, description }: MetadataInput) {
  const wrong = { url: clearedError(stored.url, url), description: clearedError(stored.description, description) };
  if (url.trim() === '' || url === stored.url || safeHref(url) !== undefined) return wrong;
  return { ...wrong, url: 'Give an address that begins with https://, http:// or mailto:.' };
}

function clearedError(before: string, now: string): string | undefined {
  return before.trim() !== '' && now.trim() === '' ? CANNOT_CLEAR : undefined;
}

/** Each changed value, to be sent alone: what others say about the rest stays. */
export function changedMetadata(stored: MetadataInput, now: MetadataInput): ApplicationMetadata[] {
  const changed = (key: keyof MetadataInput) => {
    const value = now[key].trim();
    return value === '' || value === stored[key] ? [] : [value];
  };
  return [
    ...changed('icon').map((icon) => ({ icon })),
    ...changed('url').map((url) => ({ url })),
    ...changed('description').map((description) => ({ description })),
  ];
}
