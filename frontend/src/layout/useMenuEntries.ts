import { useSettings } from '@/api/settings';
import { type MenuEntry, menuEntries } from '@/routes';

/** The entries of the main menu that this deployment has. */
export function useMenuEntries(): readonly MenuEntry[] {
  const settings = useSettings();
  return menuEntries.filter(({ needs }) => needs === undefined || settings?.[needs] === true);
}
