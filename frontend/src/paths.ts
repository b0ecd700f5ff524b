// Every address of the console that something links to. Whatever stands in for a name is encoded.
const part = encodeURIComponent;

export type ToggleTab = 'strategies' | 'view';

export const paths = {
  home: () => '/',
  toggles: () => '/features',
  createToggle: (name?: string) => `/features/create${name === undefined ? '' : `?name=${part(name)}`}`,
  toggle: (name: string, tab: ToggleTab = 'strategies') => `/features/${tab}/${part(name)}`,
  archive: () => '/archive',
  logout: () => '/logout',
};
