// Metadata of an application that users can edit: icon, URL and description.
import type { ApplicationMetadata } from '@/api/endpoints';
import type { Application } from '@/api/generated/types';
import { safeHref } from '@/lib/urls';

export const DEFAULT_ICON = 'apps';

export interface MetadataInput {
  icon: string;
  url: string;
  description: string;
}

export function toMetadataInput({ icon, url, description }: Application): MetadataInput {
  return { icon: icon?.trim() || DEFAULT_ICON, url: url ?? '', description: description ?? '' };
}

const CANNOT_CLEAR = 'Saved values can be replaced but not cleared.';

export function metadataErrors(stored: MetadataInput, { url, description }: MetadataInput) {
  const errors = { url: clearedError(stored.url, url), description: clearedError(stored.description, description) };
  if (url.trim() === '' || url === stored.url || safeHref(url) !== undefined) return errors;
  return { ...errors, url: 'Enter a URL that starts with https://, http:// or mailto:.' };
}

function clearedError(before: string, now: string): string | undefined {
  return before.trim() !== '' && now.trim() === '' ? CANNOT_CLEAR : undefined;
}

/** Returns the changed values. Each is sent on its own, so that changes of other users to the rest are kept. */
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
