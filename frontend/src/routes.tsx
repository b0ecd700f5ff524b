// All pages of the console, with their titles and menu entries.

import type { ComponentType } from 'react';
import type { Params } from 'react-router-dom';
import type { Endpoint } from '@/api/client';
import { archivedFeatures, features } from '@/api/endpoints';
// Not lazy: most visits start here, and loading its code separately would delay the first row.
import { ToggleListPage } from '@/features/toggles/ToggleListPage';
import { paths, type Section, sections, strategyTabs, toggleTabs } from '@/paths';
import {
  AddonIcon,
  ApplicationIcon,
  ArchiveIcon,
  ExperimentIcon,
  FilesIcon,
  HistoryIcon,
  type IconComponent,
  PermissionIcon,
  SegmentIcon,
  StrategyIcon,
  TagTypeIcon,
  ToggleIcon,
  UserIcon,
} from '@/ui/icons';
import { lazyPage } from '@/ui/lazy';

export const LogoutPage = lazyPage(() => import('@/features/session/LogoutPage'), 'LogoutPage');
const ToggleCreatePage = lazyPage(() => import('@/features/toggles/ToggleCreatePage'), 'ToggleCreatePage');
const ToggleCopyPage = lazyPage(() => import('@/features/toggles/ToggleCopyPage'), 'ToggleCopyPage');
const TogglePage = lazyPage(() => import('@/features/toggles/TogglePage'), 'TogglePage');
const EvaluationPage = lazyPage(() => import('@/features/evaluation/EvaluationPage'), 'EvaluationPage');
const StrategyListPage = lazyPage(() => import('@/features/strategies/StrategyListPage'), 'StrategyListPage');
const StrategyCreatePage = lazyPage(() => import('@/features/strategies/StrategyCreatePage'), 'StrategyCreatePage');
const StrategyPage = lazyPage(() => import('@/features/strategies/StrategyPage'), 'StrategyPage');
const HistoryPage = lazyPage(() => import('@/layout/HistoryPages'), 'HistoryPage');
const ToggleHistoryPage = lazyPage(() => import('@/layout/HistoryPages'), 'ToggleHistoryPage');
const ArchiveListPage = lazyPage(() => import('@/features/archive/ArchiveListPage'), 'ArchiveListPage');
const ApplicationListPage = lazyPage(
  () => import('@/features/applications/ApplicationListPage'),
  'ApplicationListPage',
);
const ApplicationPage = lazyPage(() => import('@/features/applications/ApplicationPage'), 'ApplicationPage');
const MissingTogglesPage = lazyPage(() => import('@/features/applications/MissingTogglesPage'), 'MissingTogglesPage');
const ContextFieldListPage = lazyPage(() => import('@/features/context/ContextFieldListPage'), 'ContextFieldListPage');
const ContextFieldCreatePage = lazyPage(
  () => import('@/features/context/ContextFieldFormPages'),
  'ContextFieldCreatePage',
);
const ContextFieldEditPage = lazyPage(() => import('@/features/context/ContextFieldFormPages'), 'ContextFieldEditPage');
const SegmentListPage = lazyPage(() => import('@/features/segments/SegmentListPage'), 'SegmentListPage');
const SegmentCreatePage = lazyPage(() => import('@/features/segments/SegmentFormPages'), 'SegmentCreatePage');
const SegmentEditPage = lazyPage(() => import('@/features/segments/SegmentFormPages'), 'SegmentEditPage');
const ProjectListPage = lazyPage(() => import('@/features/projects/ProjectListPage'), 'ProjectListPage');
const ProjectCreatePage = lazyPage(() => import('@/features/projects/ProjectFormPages'), 'ProjectCreatePage');
const ProjectEditPage = lazyPage(() => import('@/features/projects/ProjectFormPages'), 'ProjectEditPage');
const TagTypeListPage = lazyPage(() => import('@/features/tag-types/TagTypeListPage'), 'TagTypeListPage');
const TagTypeCreatePage = lazyPage(() => import('@/features/tag-types/TagTypeFormPages'), 'TagTypeCreatePage');
const TagTypeEditPage = lazyPage(() => import('@/features/tag-types/TagTypeFormPages'), 'TagTypeEditPage');
const TagListPage = lazyPage(() => import('@/features/tags/TagListPage'), 'TagListPage');
const TagCreatePage = lazyPage(() => import('@/features/tags/TagCreatePage'), 'TagCreatePage');
const AddonListPage = lazyPage(() => import('@/features/addons/AddonListPage'), 'AddonListPage');
const AddonCreatePage = lazyPage(() => import('@/features/addons/AddonCreatePage'), 'AddonCreatePage');
const AddonEditPage = lazyPage(() => import('@/features/addons/AddonEditPage'), 'AddonEditPage');
const ChangesPage = lazyPage(() => import('@/features/changes/ChangesPage'), 'ChangesPage');
const JournalPage = lazyPage(() => import('@/features/journal/JournalPage'), 'JournalPage');
const UsersPage = lazyPage(() => import('@/features/users/UsersPage'), 'UsersPage');
const SessionsPage = lazyPage(() => import('@/features/users/UsersPage'), 'SessionsPage');
const UserCreatePage = lazyPage(() => import('@/features/users/UserCreatePage'), 'UserCreatePage');
const UserEditPage = lazyPage(() => import('@/features/users/UserEditPage'), 'UserEditPage');
const PlansPage = lazyPage(() => import('@/features/plans/PlansPage'), 'PlansPage');
const ApiTokenListPage = lazyPage(() => import('@/features/api-tokens/ApiTokenListPage'), 'ApiTokenListPage');
const ApiTokenCreatePage = lazyPage(() => import('@/features/api-tokens/ApiTokenCreatePage'), 'ApiTokenCreatePage');

export type CountEndpoint = Endpoint<{ features: readonly unknown[] }>;

/** The groups of the side menu: what users do, and what they set up once. */
export type MenuGroup = 'Work' | 'Set up';

interface MenuAppearance {
  /** By default the daily work. */
  group?: MenuGroup;
  /** The menu of the footer omits the section. */
  isOnlyInSideMenu?: boolean;
  icon: IconComponent;
  /** Sections without an entry of their own that belong to this one. */
  includes?: readonly string[];
  /** The list whose length is shown beside the label. */
  counted?: CountEndpoint;
  /** Delays the count until this list is loaded, so that the page's own requests come first. */
  countedAfter?: CountEndpoint;
}

export interface MenuEntry extends MenuAppearance, Section {
  group: MenuGroup;
}

const isWork = ({ group }: MenuEntry) => group === 'Work';

export interface PageRoute {
  path: string;
  /** The parts of the document title: the item, then its section. The product's name is appended. */
  title: (params: Params) => readonly string[];
  Page: ComponentType;
  /** Omitted for pages that are not in the menu. */
  menu?: MenuAppearance;
  /** The values of `:activeTab`. Others show the not-found page. */
  tabs?: readonly string[];
}

const TOGGLES = sections.toggles.label;
const EVALUATION = sections.evaluation.label;
const STRATEGIES = sections.strategies.label;
const HISTORY = sections.history.label;
const ARCHIVE = sections.archive.label;
const APPLICATIONS = sections.applications.label;
const CONTEXT_FIELDS = sections.contextFields.label;
const SEGMENTS = sections.segments.label;
const PROJECTS = sections.projects.label;
const TAGS = sections.tags.label;
const TAG_TYPES = sections.tagTypes.label;
const ADDONS = sections.addons.label;
const JOURNAL = sections.journal.label;
const USERS = sections.users.label;
const PLANS = sections.plans.label;
const API_TOKENS = sections.apiTokens.label;

const SET_UP: MenuGroup = 'Set up';

/** All pages that are rendered inside `AppShell`. */
export const routes: readonly PageRoute[] = [
  {
    path: '/features',
    title: () => [TOGGLES],
    Page: ToggleListPage,
    menu: { icon: ToggleIcon, includes: [paths.projects()], counted: features },
  },
  {
    path: '/features/create',
    title: () => ['Create', TOGGLES],
    Page: ToggleCreatePage,
  },
  {
    path: '/features/copy/:name',
    title: ({ name = '' }) => [`Copy ${name}`, TOGGLES],
    Page: ToggleCopyPage,
  },
  {
    path: '/features/:activeTab/:name',
    title: ({ name = '' }) => [name, TOGGLES],
    Page: TogglePage,
    tabs: toggleTabs,
  },
  {
    path: '/evaluation',
    title: () => [EVALUATION],
    Page: EvaluationPage,
    menu: { icon: ExperimentIcon, isOnlyInSideMenu: true },
  },
  {
    path: '/strategies',
    title: () => [STRATEGIES],
    Page: StrategyListPage,
    menu: { group: SET_UP, icon: StrategyIcon, includes: [paths.contextFields()] },
  },
  {
    path: '/strategies/create',
    title: () => ['Create', STRATEGIES],
    Page: StrategyCreatePage,
  },
  {
    path: '/strategies/:activeTab/:name',
    title: ({ name = '' }) => [name, STRATEGIES],
    Page: StrategyPage,
    tabs: strategyTabs,
  },
  {
    path: '/history',
    title: () => [HISTORY],
    Page: HistoryPage,
    menu: { icon: HistoryIcon, includes: [paths.changes(), paths.journal()] },
  },
  {
    path: '/history/:name',
    title: ({ name = '' }) => [name, HISTORY],
    Page: ToggleHistoryPage,
  },
  {
    path: '/applications',
    title: () => [APPLICATIONS],
    Page: ApplicationListPage,
    menu: { icon: ApplicationIcon, includes: [paths.missingToggles()] },
  },
  {
    path: '/applications/:name',
    title: ({ name = '' }) => [name, APPLICATIONS],
    Page: ApplicationPage,
  },
  {
    path: '/missing-toggles',
    title: () => [sections.missingToggles.label, APPLICATIONS],
    Page: MissingTogglesPage,
  },
  {
    path: '/archive',
    title: () => [ARCHIVE],
    Page: ArchiveListPage,
    menu: { icon: ArchiveIcon, counted: archivedFeatures, countedAfter: features },
  },
  {
    path: '/archive/:activeTab/:name',
    title: ({ name = '' }) => [name, ARCHIVE],
    Page: TogglePage,
    tabs: toggleTabs,
  },
  {
    path: '/context',
    title: () => [CONTEXT_FIELDS],
    Page: ContextFieldListPage,
  },
  {
    path: '/context/create',
    title: () => ['Create', CONTEXT_FIELDS],
    Page: ContextFieldCreatePage,
  },
  {
    path: '/context/edit/:name',
    title: ({ name = '' }) => [`Edit ${name}`, CONTEXT_FIELDS],
    Page: ContextFieldEditPage,
  },
  {
    path: '/segments',
    title: () => [SEGMENTS],
    Page: SegmentListPage,
    menu: { group: SET_UP, icon: SegmentIcon, isOnlyInSideMenu: true },
  },
  {
    path: '/segments/create',
    title: () => ['Create', SEGMENTS],
    Page: SegmentCreatePage,
  },
  {
    path: '/segments/edit/:id',
    title: () => ['Edit', SEGMENTS],
    Page: SegmentEditPage,
  },
  {
    path: '/projects',
    title: () => [PROJECTS],
    Page: ProjectListPage,
  },
  {
    path: '/projects/create',
    title: () => ['Create', PROJECTS],
    Page: ProjectCreatePage,
  },
  {
    path: '/projects/edit/:id',
    title: ({ id = '' }) => [`Edit ${id}`, PROJECTS],
    Page: ProjectEditPage,
  },
  {
    path: '/tag-types',
    title: () => [TAG_TYPES],
    Page: TagTypeListPage,
    menu: { group: SET_UP, icon: TagTypeIcon, includes: [paths.tags()] },
  },
  {
    path: '/tag-types/create',
    title: () => ['Create', TAG_TYPES],
    Page: TagTypeCreatePage,
  },
  {
    path: '/tag-types/edit/:name',
    title: ({ name = '' }) => [`Edit ${name}`, TAG_TYPES],
    Page: TagTypeEditPage,
  },
  {
    path: '/tags',
    title: () => [TAGS],
    Page: TagListPage,
  },
  {
    path: '/tags/create',
    title: () => ['Create', TAGS],
    Page: TagCreatePage,
  },
  {
    path: '/addons',
    title: () => [ADDONS],
    Page: AddonListPage,
    menu: { group: SET_UP, icon: AddonIcon },
  },
  {
    path: '/addons/create/:provider',
    title: ({ provider = '' }) => [`Configure ${provider}`, ADDONS],
    Page: AddonCreatePage,
  },
  {
    path: '/addons/edit/:id',
    title: ({ id = '' }) => [`Edit ${id}`, ADDONS],
    Page: AddonEditPage,
  },
  {
    path: '/changes',
    title: () => [sections.changes.label, HISTORY],
    Page: ChangesPage,
  },
  {
    path: '/journal',
    title: () => [JOURNAL, HISTORY],
    Page: JournalPage,
  },
  {
    path: '/plans',
    title: () => [PLANS],
    Page: PlansPage,
    menu: { group: SET_UP, icon: FilesIcon, isOnlyInSideMenu: true },
  },
  {
    path: '/tokens',
    title: () => [API_TOKENS],
    Page: ApiTokenListPage,
    menu: { group: SET_UP, icon: PermissionIcon, isOnlyInSideMenu: true },
  },
  {
    path: '/tokens/create',
    title: () => ['Create', API_TOKENS],
    Page: ApiTokenCreatePage,
  },
  {
    path: '/users',
    title: () => [USERS],
    Page: UsersPage,
    menu: { group: SET_UP, icon: UserIcon, isOnlyInSideMenu: true },
  },
  {
    path: '/users/sessions',
    title: () => [sections.sessions.label, USERS],
    Page: SessionsPage,
  },
  {
    path: '/users/create',
    title: () => ['Create', USERS],
    Page: UserCreatePage,
  },
  {
    path: '/users/edit/:name',
    title: ({ name = '' }) => [`Edit ${name}`, USERS],
    Page: UserEditPage,
  },
];

const sectionEntries: readonly MenuEntry[] = routes.flatMap(({ path, menu }) => {
  const section: Section | undefined = Object.values(sections).find((one) => one.path === path);
  return menu && section ? [{ ...section, group: 'Work', ...menu }] : [];
});

/** The entries of the menus, in the order of their groups. */
export const menuEntries = [...sectionEntries.filter(isWork), ...sectionEntries.filter((entry) => !isWork(entry))];
