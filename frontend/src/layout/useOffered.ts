import { useSettings } from '@/api/settings';
import type { Section } from '@/paths';

/** Returns the links to sections that this deployment has. */
export function useOffered<Entry extends Pick<Section, 'needs'>>(entries: readonly Entry[]): readonly Entry[] {
  const settings = useSettings();
  return entries.filter(({ needs }) => needs === undefined || settings?.[needs] === true);
}
