import { getNewToggleProjectOverride } from '@/lib/toggleListSettings';
import { paths } from '@/paths';

/** The form for a new toggle. On the toggle list it starts with the project that the list shows. */
export function newTogglePath({ pathname, search }: { pathname: string; search: string }): string {
  const isList = pathname === paths.toggles();
  return paths.createToggle(undefined, isList ? getNewToggleProjectOverride(new URLSearchParams(search)) : undefined);
}
