import { useCanReadRecords } from '@/api/recorded';
import { useSettings } from '@/api/settings';
import type { Section } from '@/paths';

/** Returns the links to sections that this deployment has. The records of the flight recorder can be for administrators only. */
export function useOffered<Entry extends Pick<Section, 'needs'>>(entries: readonly Entry[]): readonly Entry[] {
  const settings = useSettings();
  const canReadRecords = useCanReadRecords();
  const has = (needs: NonNullable<Section['needs']>) =>
    needs === 'recorder' ? canReadRecords : settings?.[needs] === true;
  return entries.filter(({ needs }) => needs === undefined || has(needs));
}
