import { useSettings } from '@/api/settings';

/** The document title. The environment comes first, so that narrow browser tabs show it. */
export function useTitle(parts: readonly string[]): string {
  const label = useSettings()?.environment?.label;
  const title = parts.join(' - ');
  return label ? `[${label}] ${title}` : title;
}
