import { useCapabilities } from '@/api/capabilities';
import { isAdministrator } from '@/api/disabledReason';
import { useProfile } from '@/api/permissions';
import { useCanReadRecords } from '@/api/recorded';
import { useSettings } from '@/api/settings';
import type { Section } from '@/paths';

/** Returns the links to sections that this deployment has. Some of them are for administrators only. */
export function useOffered<Entry extends Pick<Section, 'needs'>>(entries: readonly Entry[]): readonly Entry[] {
  const settings = useSettings();
  const profile = useProfile();
  const managesUsers = settings?.sessions === true && profile !== undefined && isAdministrator(profile);
  const has: { [needs in NonNullable<Section['needs']>]: boolean } = {
    journal: settings?.journal === true,
    recorder: useCanReadRecords(),
    users: managesUsers,
    // In front of an upstream without accounts of its own, the page of users contains only the sessions.
    sessions: managesUsers && settings.mode === 'embedded',
    segments: useCapabilities().managesSegments,
    apiTokens: settings?.mode === 'embedded',
  };
  return entries.filter(({ needs }) => needs === undefined || has[needs]);
}
