// What people say about an application, beyond what it says itself.
import type { ApplicationText } from '@/api/endpoints';
import type { Application } from '@/api/generated/types';
import { safeHref } from '@/lib/urls';

export const defaultIcon = 'apps';

export interface ApplicationTexts {
  icon: string;
  url: string;
  description: string;
}

export function textsOf({ icon, url, description }: Application): ApplicationTexts {
  return { icon: icon?.trim() || defaultIcon, url: url ?? '', description: description ?? '' };
}

const STAYS = 'Servers ignore an empty value: what is stored cannot be taken away, only replaced.';

export function textErrors(stored: ApplicationTexts, { url, description }: ApplicationTexts) {
  const wrong = { url: emptied(stored.url, url), description: emptied(stored.description, description) };
  if (url.trim() === '' || url === stored.url || safeHref(url) !== undefined) return wrong;
  return { ...wrong, url: 'Give an address that begins with https://, http:// or mailto:.' };
}

function emptied(before: string, now: string): string | undefined {
  return before.trim() !== '' && now.trim() === '' ? STAYS : undefined;
}

/** Each changed value, to be sent alone: what others say about the rest stays. */
export function changedTexts(stored: ApplicationTexts, now: ApplicationTexts): ApplicationText[] {
  const changed = (key: keyof ApplicationTexts) => {
    const value = now[key].trim();
    return value === '' || value === stored[key] ? [] : [value];
  };
  return [
    ...changed('icon').map((icon) => ({ icon })),
    ...changed('url').map((url) => ({ url })),
    ...changed('description').map((description) => ({ description })),
  ];
}
