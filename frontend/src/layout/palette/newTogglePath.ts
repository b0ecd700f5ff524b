import { getNewToggleProjectOverride } from '@/domain/toggles/toggleListSettings';
import { paths } from '@/paths';

/** Path of the form for a new toggle. On the toggle list it preselects the list's project. */
export function newTogglePath({ pathname, search }: { pathname: string; search: string }): string {
  const isList = pathname === paths.toggles();
  return paths.createToggle(undefined, isList ? getNewToggleProjectOverride(new URLSearchParams(search)) : undefined);
}
