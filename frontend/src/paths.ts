// Every address of the console that something links to. Whatever stands in for a name is encoded.
const part = encodeURIComponent;

/** The parts of a toggle's page. */
export const toggleTabs = ['strategies', 'view', 'variants', 'history'] as const;
export type ToggleTab = (typeof toggleTabs)[number];

export const paths = {
  home: () => '/',
  toggles: () => '/features',
  createToggle: (name?: string) => `/features/create${name === undefined ? '' : `?name=${part(name)}`}`,
  copyToggle: (name: string) => `/features/copy/${part(name)}`,
  toggle: (name: string, tab: ToggleTab = 'strategies') => `/features/${tab}/${part(name)}`,
  archive: () => '/archive',
  archivedToggle: (name: string, tab: ToggleTab = 'strategies') => `/archive/${tab}/${part(name)}`,
  logout: () => '/logout',
};

/** What an address names; the router lets no other through. */
export function toToggleTab(text: string | undefined): ToggleTab {
  return toggleTabs.find((tab) => tab === text) ?? 'strategies';
}
