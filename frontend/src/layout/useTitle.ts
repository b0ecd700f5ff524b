import { useSettings } from '@/api/settings';

/** The title of a document: which deployment it is comes first, where narrow tabs still show it. */
export function useTitle(parts: readonly string[]): string {
  const label = useSettings()?.environment?.label;
  const title = parts.join(' - ');
  return label ? `[${label}] ${title}` : title;
}
