// All URLs of the console that are linked to. Names are encoded.
const encode = encodeURIComponent;

/** The tabs of a toggle's page. */
export const toggleTabs = ['strategies', 'view', 'variants', 'history'] as const;
export type ToggleTab = (typeof toggleTabs)[number];

/** The tabs of a strategy's page. */
export const strategyTabs = ['view', 'edit'] as const;
export type StrategyTab = (typeof strategyTabs)[number];

/** The tabs of an application's page, which share one path: the tab is a query parameter. */
export const applicationTabs = ['details', 'edit'] as const;
export type ApplicationTab = (typeof applicationTabs)[number];

const withTab = (path: string, tab: ApplicationTab | undefined) => (tab === 'edit' ? `${path}?tab=${tab}` : path);

function withParams(path: string, values: { readonly [name: string]: string | undefined }): string {
  const params = Object.entries(values).filter(([, value]) => value !== undefined);
  const query = params.map(([key, value]) => `${key}=${encode(value ?? '')}`).join('&');
  return query === '' ? path : `${path}?${query}`;
}

const withName = (path: string, name: string | undefined, project?: string) => withParams(path, { name, project });

export const paths = {
  home: () => '/',
  toggles: () => '/features',
  /** The toggle list, filtered by a literal text: special characters of the search pattern are escaped. */
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
  /** The log of an active or archived toggle, at an event. */
  loggedEvent: (name: string, id: number, view?: PastView) =>
    withParams(paths.toggle(name, 'history'), { event: String(id), ...view }),
  applications: () => '/applications',
  application: (name: string, tab?: ApplicationTab) => withTab(`/applications/${encode(name)}`, tab),
  evaluation: () => '/evaluation',
  /** Not below `/applications`, because an application may be named 'missing'. */
  missingToggles: () => '/missing-toggles',
  contextFields: () => '/context',
  createContextField: () => '/context/create',
  editContextField: (name: string) => `/context/edit/${encode(name)}`,
  segments: () => '/segments',
  createSegment: () => '/segments/create',
  editSegment: (id: number) => `/segments/edit/${id}`,
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
  journal: () => '/journal',
  changes: () => '/changes',
  users: () => '/users',
  createUser: () => '/users/create',
  editUser: (name: string) => `/users/edit/${encode(name)}`,
  sessions: () => '/users/sessions',
  plans: () => '/plans',
  apiTokens: () => '/tokens',
  createApiToken: () => '/tokens/create',
  logout: () => '/logout',
};

/** A section of the console. */
export interface Section {
  label: string;
  path: string;
  /** What the deployment and the user must have: without it, no menu shows the section. */
  needs?: 'journal' | 'recorder' | 'users' | 'sessions' | 'segments' | 'apiTokens';
}

/** The sections of the console, with the labels of the menu and the breadcrumbs. */
export const sections = {
  toggles: { label: 'Feature toggles', path: paths.toggles() },
  evaluation: { label: 'Evaluation', path: paths.evaluation() },
  strategies: { label: 'Strategies', path: paths.strategies() },
  history: { label: 'Event history', path: paths.history() },
  archive: { label: 'Archive', path: paths.archive() },
  applications: { label: 'Applications', path: paths.applications() },
  missingToggles: { label: 'Missing toggles', path: paths.missingToggles() },
  contextFields: { label: 'Context fields', path: paths.contextFields() },
  segments: { label: 'Segments', path: paths.segments(), needs: 'segments' },
  projects: { label: 'Projects', path: paths.projects() },
  tagTypes: { label: 'Tag types', path: paths.tagTypes() },
  tags: { label: 'Tags', path: paths.tags() },
  addons: { label: 'Addons', path: paths.addons() },
  changes: { label: 'What changed', path: paths.changes(), needs: 'recorder' },
  journal: { label: 'Journal', path: paths.journal(), needs: 'journal' },
  users: { label: 'Users', path: paths.users(), needs: 'users' },
  sessions: { label: 'Sessions', path: paths.sessions(), needs: 'sessions' },
  plans: { label: 'Plans', path: paths.plans() },
  apiTokens: { label: 'API tokens', path: paths.apiTokens(), needs: 'apiTokens' },
} as const satisfies { [name: string]: Section };

/** Converts the tab of a URL. The router accepts only known tabs. */
export function toToggleTab(text: string | undefined): ToggleTab {
  return toggleTabs.find((tab) => tab === text) ?? 'strategies';
}

export function toStrategyTab(text: string | undefined): StrategyTab {
  return strategyTabs.find((tab) => tab === text) ?? 'view';
}

// The past in the URL: `?at=` on the pages that can show an earlier time.

/** The earlier time that a page shows. */
export interface PastView {
  /** The text in the URL: a time in RFC 3339, unless a user has typed another one. */
  at: string;
  /** The token whose toggles are shown; undefined for the token that receives most toggles. */
  scope?: string;
}

/** The parts of a URL below the base path. */
interface PageUrl {
  pathname: string;
  search: string;
  hash: string;
}

/** The pages that show the past: the toggle list, the tabs of a toggle, and the evaluation. */
const PAST_PAGE = /^\/(?:features|features\/(?:strategies|view|variants|history)\/[^/]+|evaluation)\/?$/u;

/** Returns the earlier time that the URL names; undefined if its page shows the present. */
export function parsePastView({ pathname, search }: Pick<PageUrl, 'pathname' | 'search'>): PastView | undefined {
  const params = new URLSearchParams(search);
  const [at, scope] = [params.get('at'), params.get('scope')];
  if (!at || !PAST_PAGE.test(pathname)) return undefined;
  return { at, ...(scope && { scope }) };
}

/** Returns the link to a page as it was at an earlier time. `path` has no query. */
export function inPast(path: string, view: PastView | undefined): string {
  return view ? withParams(path, { ...view }) : path;
}

/** Parameters of lists and logs that need data without records. */
const PRESENT_PARAMS = ['sort', 'order', 'interval', 'state', 'status', 'type', 'tag', 'project', 'event'];

/**
 * Returns the link to the same page at an earlier time, or to the list if the page has no past. A toggle that is archived now
 * may have been active.
 */
export function toPast({ pathname, search, hash }: PageUrl, { at, scope }: PastView): string {
  const own = pathname.replace(/^\/archive\//u, '/features/');
  if (!PAST_PAGE.test(own)) return inPast(paths.toggles(), { at, ...(scope !== undefined && { scope }) });
  const params = new URLSearchParams(search);
  for (const name of [...PRESENT_PARAMS, 'scope']) params.delete(name);
  params.set('at', at);
  if (scope !== undefined) params.set('scope', scope);
  return `${own}?${params}${hash}`;
}

/** Returns the link to the same page at the present. */
export function toPresent({ pathname, search, hash }: PageUrl): string {
  const params = new URLSearchParams(search);
  params.delete('at');
  params.delete('scope');
  return `${pathname}${params.size > 0 ? `?${params}` : ''}${hash}`;
}
