// Every address of the console that something links to. Whatever stands in for a name is encoded.
const encode = encodeURIComponent;

/** The parts of a toggle's page. */
export const toggleTabs = ['strategies', 'view', 'variants', 'history'] as const;
export type ToggleTab = (typeof toggleTabs)[number];

/** The parts of a strategy's page. */
export const strategyTabs = ['view', 'edit'] as const;
export type StrategyTab = (typeof strategyTabs)[number];

/** The parts of an application's page; they share one address, so that the tab is a query of it. */
export const applicationTabs = ['details', 'edit'] as const;
export type ApplicationTab = (typeof applicationTabs)[number];

const withTab = (path: string, tab: ApplicationTab | undefined) => (tab === 'edit' ? `${path}?tab=${tab}` : path);

function withName(path: string, name: string | undefined, project?: string): string {
  const given = Object.entries({ name, project }).filter(([, value]) => value !== undefined);
  const query = given.map(([key, value]) => `${key}=${encode(value ?? '')}`).join('&');
  return query === '' ? path : `${path}?${query}`;
}

export const paths = {
  home: () => '/',
  toggles: () => '/features',
  /** The list, narrowed to what holds the text as it stands: the search takes patterns. */
  togglesMatching: (text: string) => `/features?filter=${encode(text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'))}`,
  togglesWithTag: (tag: string) => `/features?tag=${encode(tag)}`,
  togglesInProject: (project: string) => `/features?project=${encode(project)}`,
  createToggle: (name?: string, project?: string) => withName('/features/create', name, project),
  copyToggle: (name: string) => `/features/copy/${encode(name)}`,
  toggle: (name: string, tab: ToggleTab = 'strategies') => `/features/${tab}/${encode(name)}`,
  archive: () => '/archive',
  archivedToggle: (name: string, tab: ToggleTab = 'strategies') => `/archive/${tab}/${encode(name)}`,
  strategies: () => '/strategies',
  createStrategy: (name?: string) => withName('/strategies/create', name),
  strategy: (name: string, tab: StrategyTab = 'view') => `/strategies/${tab}/${encode(name)}`,
  history: () => '/history',
  toggleHistory: (name: string) => `/history/${encode(name)}`,
  event: (id: number) => `/history?event=${id}`,
  toggleEvent: (name: string, id: number) => `/history/${encode(name)}?event=${id}`,
  applications: () => '/applications',
  application: (name: string, tab?: ApplicationTab) => withTab(`/applications/${encode(name)}`, tab),
  /** Not below the applications: one of them may be called 'missing'. */
  missingToggles: () => '/missing-toggles',
  contextFields: () => '/context',
  createContextField: () => '/context/create',
  editContextField: (name: string) => `/context/edit/${encode(name)}`,
  projects: () => '/projects',
  createProject: () => '/projects/create',
  editProject: (id: string) => `/projects/edit/${encode(id)}`,
  tagTypes: () => '/tag-types',
  createTagType: () => '/tag-types/create',
  editTagType: (name: string) => `/tag-types/edit/${encode(name)}`,
  tags: () => '/tags',
  createTag: () => '/tags/create',
  addons: () => '/addons',
  createAddon: (provider: string) => `/addons/create/${encode(provider)}`,
  editAddon: (id: number) => `/addons/edit/${id}`,
  logout: () => '/logout',
};

/** What the pages belong to, as the menu and the way back call it. */
export const sections = {
  toggles: { label: 'Feature toggles', path: paths.toggles() },
  strategies: { label: 'Strategies', path: paths.strategies() },
  history: { label: 'Event history', path: paths.history() },
  archive: { label: 'Archive', path: paths.archive() },
  applications: { label: 'Applications', path: paths.applications() },
  missingToggles: { label: 'Missing toggles', path: paths.missingToggles() },
  contextFields: { label: 'Context fields', path: paths.contextFields() },
  projects: { label: 'Projects', path: paths.projects() },
  tagTypes: { label: 'Tag types', path: paths.tagTypes() },
  tags: { label: 'Tags', path: paths.tags() },
  addons: { label: 'Addons', path: paths.addons() },
};

/** What an address names; the router lets no other through. */
export function toToggleTab(text: string | undefined): ToggleTab {
  return toggleTabs.find((tab) => tab === text) ?? 'strategies';
}

export function toStrategyTab(text: string | undefined): StrategyTab {
  return strategyTabs.find((tab) => tab === text) ?? 'view';
}
