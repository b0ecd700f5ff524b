// The wire types, written from src/flags/model/ and src/console/model.rs. Do not edit.
// After a change there: FLAGDECK_UPDATE_TYPES=1 cargo test --lib types

/** A feature toggle. Its tags are a call of their own. */
export type Toggle = {
  /** Unique also among archived toggles; 2 to 100 characters that need no escaping in a URL. */
  name: string,
  /** Free text. */
  description: string | null,
  /** The id of a feature type. */
  type: string,
  /** The id of the project it belongs to. */
  project: string,
  /** Off for everyone when false, whatever the strategies say. */
  enabled: boolean,
  /** Marked as done with and to be removed from the code. */
  stale: boolean,
  /** Who gets the feature: on when any one of them says so. */
  strategies: Array<Strategy>,
  /** What those who get it get. 4.x servers answer null for none. */
  variants: Array<Variant> | null,
  /** RFC 3339, UTC. */
  createdAt: string,
  /** RFC 3339, UTC; null until an application reports it. */
  lastSeenAt: string | null,
};

/** A toggle as it is created or replaced. What is left out gets its default. */
export type ToggleDraft = {
  /** See `Toggle`; an update cannot change it. */
  name: string,
  /** Free text. */
  description?: string | null,
  /** Default: `release`. */
  type?: string,
  /** Default: false. */
  enabled?: boolean,
  /** Default: false. */
  stale?: boolean,
  /** Default: `default`. */
  project?: string,
  /** At least one. */
  strategies: Array<Strategy>,
  /** Default: none. */
  variants?: Array<Variant> | null,
};

/** One way to decide who gets a feature. */
export type Strategy = {
  /** Given by servers that number strategies. */
  id?: string,
  /** The name of a strategy definition; it may name one that the server does not have. */
  name: string,
  /** What the definition asks for; values are text on the wire, also numbers and lists. */
  parameters?: { [key in string]: string },
  /** All of them must hold before the strategy counts. */
  constraints?: Array<Constraint> | null,
};

/** A condition on one context field. */
export type Constraint = {
  /** The name of a context field. */
  contextName: string,
  /** How the field's value is compared. */
  operator: ConstraintOperator,
  /** What it is compared with. Servers accept constraints without. */
  values?: Array<string>,
};

/** How a constraint compares. */
export type ConstraintOperator = "IN" | "NOT_IN";

/** One of a toggle's answers. */
export type Variant = {
  /** Unique within the toggle; at least 2 characters. */
  name: string,
  /** Share of the traffic in tenths of a percent: 0 to 1000. */
  weight: number,
  /** Whether the share is set by hand. */
  weightType: WeightType,
  /** The context field that keeps a user on one variant. Older servers leave it out. */
  stickiness?: string,
  /** What the application is given with the variant's name. */
  payload?: Payload,
  /** Who gets this variant whatever the weights say. */
  overrides?: Array<Override>,
};

/** How a variant's weight comes about. */
export type WeightType = "fix" | "variable";

/** What an application is given with a variant. */
export type Payload = {
  /** How the text is to be read. */
  type: PayloadType,
  /** The text itself, whatever its type. */
  value: string,
};

/** How a payload's text is to be read. */
export type PayloadType = "string" | "json" | "csv";

/** A list of context values that always get one variant. */
export type Override = {
  /** The context field that is looked at, such as `userId`. */
  contextName: string,
  /** Its values that get the variant. */
  values: Array<string>,
};

/** A kind of toggle. */
export type FeatureType = {
  /** What a toggle's `type` holds. */
  id: string,
  /** What people read. */
  name: string,
  /** When to choose it. */
  description: string,
  /** After how many days such a toggle is overdue; null for never. */
  lifetimeDays: number | null,
};

/** A strategy that clients implement. */
export type StrategyDefinition = {
  /** What a toggle's strategy refers to. */
  name: string,
  /** What people read instead of the name, on servers that have it. */
  displayName?: string | null,
  /** False for those that come with the service. */
  editable: boolean,
  /** Whom it selects. */
  description: string | null,
  /** What each toggle fills in. */
  parameters: Array<ParameterDefinition>,
  /** No longer offered for new use. Older servers leave it out. */
  deprecated?: boolean,
};

/** One value that a strategy asks for. */
export type ParameterDefinition = {
  /** The key in a strategy's `parameters`. */
  name: string,
  /** Which editor fits. */
  type: ParameterType,
  /** What to fill in. */
  description: string,
  /** Whether it must be filled in. */
  required: boolean,
};

/** The editor that fits a parameter; its value is text on the wire all the same. */
export type ParameterType = "string" | "percentage" | "list" | "number" | "boolean";

/** A context field that constraints and stickiness can use. */
export type ContextField = {
  /** The key in the client's context. */
  name: string,
  /** What it holds. */
  description: string | null,
  /** Whether a gradual rollout may stick to it. Older servers leave it out. */
  stickiness?: boolean,
  /** Ascending place in lists. */
  sortOrder: number,
  /** The only values it may have; left out where any may occur. */
  legalValues?: Array<string>,
  /** RFC 3339, UTC. */
  createdAt?: string,
};

/** A group of toggles. Servers answer more about each; the console uses these. */
export type Project = {
  /** What a toggle's `project` holds. */
  id: string,
  /** What people read. */
  name: string,
  /** Free text. */
  description: string | null,
  /** RFC 3339, UTC. */
  createdAt?: string,
};

/** A typed label. */
export type Tag = {
  /** The name of a tag type. */
  type: string,
  /** Free text. */
  value: string,
};

/** A kind of tags. */
export type TagType = {
  /** 2 to 50 characters that need no escaping in a URL. */
  name: string,
  /** Free text. */
  description: string | null,
  /** What stands before a value of this type. */
  icon: string | null,
};

/** A receiver of events. */
export type Addon = {
  /** Never given twice. */
  id: number,
  /** The name of an [`AddonProvider`]. */
  provider: string,
  /** Whether it is told about events. */
  enabled: boolean,
  /** Free text. */
  description: string | null,
  /** Values by the names of the provider's parameters; a sensitive one reads as five asterisks. */
  parameters: { [key in string]: string },
  /** The types of events that it listens to. */
  events: Array<string>,
};

/** An addon as it is created and replaced. */
export type AddonDraft = {
  /** The name of an [`AddonProvider`]. */
  provider: string,
  /** Whether it is told about events. */
  enabled: boolean,
  /** Free text. */
  description: string | null,
  /** Values by the names of the provider's parameters; a sensitive one reads as five asterisks. */
  parameters: { [key in string]: string },
  /** The types of events that it listens to. */
  events: Array<string>,
};

/** A kind of addons. */
export type AddonProvider = {
  /** What [`AddonDraft::provider`] says. */
  name: string,
  /** For people. */
  displayName: string,
  /** What it does. */
  description: string,
  /** Where more is to be read. Some servers leave it out. */
  documentationUrl?: string,
  /** What it needs to know. */
  parameters: Array<AddonParameter>,
  /** The types of events that it can listen to. */
  events: Array<string>,
  /** The types of the tags by which toggles name their own channel or issue. */
  tagTypes?: Array<TagType>,
};

/** One thing that a kind of addons needs to know. */
export type AddonParameter = {
  /** A key of [`AddonDraft::parameters`]. */
  name: string,
  /** For people. */
  displayName: string,
  /** What to enter. */
  description?: string,
  /** An example. */
  placeholder?: string,
  /** `text`, `textfield` for several lines, `url`; other servers may know more. */
  type: string,
  /** Whether it has to be filled in. */
  required: boolean,
  /** Whether it is never shown again. Servers leave it out where it is not. */
  sensitive?: boolean,
};

/** One change that somebody made. */
export type Event = {
  /** Ascending with time. */
  id: number,
  /** What happened, such as `feature-created`. */
  type: string,
  /** Who did it. */
  createdBy: string,
  /** RFC 3339, UTC. */
  createdAt: string,
  /** The thing as it was written, or what names it. */
  data: { [key in string]: unknown } | null,
  /** The tags of the thing at that time. */
  tags?: Array<Tag> | null,
  /** Against the event before it about the same thing; null where there is none to compare with. */
  diffs: Array<Diff> | null,
};

/** One change. `lhs` is the value before, `rhs` the value after. */
export type Diff = { "kind": "N",
  /** Where it stands. */
  path: Array<PathStep>,
  /** Its value. */
  rhs: unknown, } | { "kind": "D",
  /** Where it stood. */
  path: Array<PathStep>,
  /** Its last value. */
  lhs: unknown, } | { "kind": "E",
  /** Where it stands. */
  path: Array<PathStep>,
  /** Its value before. */
  lhs: unknown,
  /** Its value after. */
  rhs: unknown, } | { "kind": "A",
  /** Where the list stands. */
  path: Array<PathStep>,
  /** The item's place in it. */
  index: number,
  /** What came or went. */
  item: ArrayChange,
};

/** What came into a list or left it. */
export type ArrayChange = { "kind": "N",
  /** The item. */
  rhs: unknown, } | { "kind": "D",
  /** The item. */
  lhs: unknown,
};

/** One step from a value to one inside it. */
export type PathStep = string | number;

/** The answer of `GET api/admin/metrics/feature-toggles`, by toggle name. No entry means no data. */
export type ToggleMetrics = {
  /** The last 60 minutes. */
  lastHour: { [key in string]: Counts },
  /** The last 60 seconds. */
  lastMinute: { [key in string]: Counts },
};

/** How often a toggle was asked for. */
export type Counts = {
  /** Answers of on. */
  yes: number,
  /** Answers of off. */
  no: number,
};

/** An application, as in the lists of `GET api/admin/metrics/seen-apps`, which are keyed by toggle name, and of
 * `GET api/admin/metrics/applications`. */
export type SeenApp = {
  /** Free text. */
  appName: string,
  /** RFC 3339, UTC. */
  createdAt: string,
  /** RFC 3339, UTC. */
  updatedAt: string,
  /** Free text. */
  description: string | null,
  /** The names of the strategies that it implements. */
  strategies: Array<string>,
  /** The address that first reported for it. */
  createdBy: string,
  /** Where it runs or is described; not to be trusted. */
  url: string | null,
  /** Never set; servers of this API have it. */
  color: string | null,
  /** The name of an icon. */
  icon: string | null,
};

/** The answer of `GET api/admin/metrics/applications/{appName}`. */
export type Application = {
  /** Free text. */
  appName: string,
  /** RFC 3339, UTC. */
  createdAt: string,
  /** Free text. */
  description: string | null,
  /** Where it runs or is described; not to be trusted. */
  url: string | null,
  /** Never set; servers of this API have it. */
  color: string | null,
  /** The name of an icon. */
  icon: string | null,
  /** Those that it implements. */
  strategies: Array<Known<StrategyDefinition>>,
  /** Those that were heard of lately. */
  instances: Array<Instance>,
  /** Those that it asked for. */
  seenToggles: Array<Known<Toggle>>,
  /** Where the old console shows it. */
  links: ApplicationLinks,
};

/** Something that an application named, which may not exist here. */
export type Known<T> = T | Missing;

/** A name that nothing here has. */
export type Missing = {
  /** As the application named it. */
  name: string,
  /** Always true. */
  notFound: boolean,
};

/** A running copy of an application. */
export type Instance = {
  /** Free text. */
  appName: string,
  /** What it calls itself. */
  instanceId: string,
  /** Name and version of its client library. */
  sdkVersion: string | null,
  /** Where its last report came from. */
  clientIp: string,
  /** RFC 3339, UTC. */
  lastSeen: string,
  /** RFC 3339, UTC. */
  createdAt: string,
};

/** Addresses below the console's base path. */
export type ApplicationLinks = {
  /** Its page. */
  self: string,
};

/** A server's name, version and decoration. Servers answer as much of it as they know. */
export type UiConfig = {
  /** The product's name. */
  name?: string,
  /** A line below the name. */
  slogan?: string,
  /** Which installation this is, such as `production`. */
  environment?: string,
  /** The version that runs. */
  version?: string,
  /** What runs and what there is. */
  versionInfo?: VersionInfo,
  /** Links for the console to show. */
  links?: Array<Link>,
  /** A colour for the console's header. */
  headerBackground?: string,
};

/** Which version runs, and which is the newest. */
export type VersionInfo = {
  /** What runs. */
  current: Versions,
  /** The newest there is; empty where nobody looks. */
  latest: Versions,
  /** Absent where nobody looks. */
  isLatest?: boolean,
  /** A UUID that tells installations apart. */
  instanceId?: string,
};

/** A version for each edition of a server. */
export type Versions = {
  /** The open edition. */
  oss?: string,
  /** The paid edition; empty on a server of the open one. */
  enterprise?: string,
};

/** A link for the console to show. */
export type Link = {
  /** Its text. */
  value: string,
  /** The name of an icon. */
  icon?: string | null,
  /** Where it leads; not to be trusted. */
  href: string,
  /** What a pointer resting on it shows. */
  title?: string | null,
};

/** The signed-in user. Servers answer as much of it as they know. */
export type User = {
  /** How changes of somebody without an address are signed. */
  username?: string | null,
  /** What people read. */
  name?: string | null,
  /** How changes are signed. */
  email?: string | null,
  /** A picture, often on a foreign host. */
  imageUrl?: string | null,
  /** Left out: everything is allowed. */
  permissions?: Array<Permission> | null,
};

/** A permission, in the two ways that servers write one. */
export type Permission = string | {
  /** Such as `ADMIN` or `CREATE_FEATURE`. */
  permission: string,
};

/** The answer of `GET api/admin/user`, in the two ways that servers write it. */
export type UserAnswer = {
  /** The user without permissions. */
  user: User,
  /** What they may do. */
  permissions?: Array<Permission> | null, } | User;

/** How to sign in. */
export type AuthDetails = {
  /** `password`, `unsecure` or `demo` (an email address is enough) or any other: a link to `path`. */
  type?: string,
  /** Where the form is posted to or the link leads; not to be trusted. */
  path?: string,
  /** For people. */
  message?: string,
  /** Other ways to sign in. */
  options?: Array<AuthOption>,
};

/** Another way to sign in. */
export type AuthOption = {
  /** The provider. */
  type: string,
  /** Where it leads; not to be trusted. */
  path: string,
  /** The button's text. */
  value: string,
};

/** The answer of `GET api/admin/features`. */
export type FeaturesAnswer = {
  /** Of the envelope. */
  version: number,
  /** Those that are not archived, by name. */
  features: Array<Toggle>,
};

/** The answer of `GET api/admin/archive/features`. */
export type ArchiveAnswer = {
  /** Those that are archived, by name. */
  features: Array<Toggle>,
};

/** The answer of `GET api/admin/feature-types`. */
export type FeatureTypesAnswer = {
  /** Of the envelope. */
  version: number,
  /** In the order to offer them. */
  types: Array<FeatureType>,
};

/** The answer of `GET api/admin/strategies`. */
export type StrategiesAnswer = {
  /** Of the envelope. */
  version: number,
  /** By name. */
  strategies: Array<StrategyDefinition>,
};

/** The answer of `GET api/admin/projects`. */
export type ProjectsAnswer = {
  /** Of the envelope. */
  version: number,
  /** All there are. */
  projects: Array<Project>,
};

/** The answer of `GET api/admin/metrics/applications`. */
export type ApplicationsAnswer = {
  /** By name. */
  applications: Array<SeenApp>,
};

/** The answer of `GET api/admin/tag-types`. */
export type TagTypesAnswer = {
  /** Of the envelope. */
  version: number,
  /** By name. */
  tagTypes: Array<TagType>,
};

/** The answer of `GET api/admin/tag-types/{name}`. */
export type TagTypeAnswer = {
  /** Of the envelope. */
  version: number,
  /** The one that was asked for. */
  tagType: TagType,
};

/** The answer of `GET api/admin/tags` and of `GET api/admin/features/{name}/tags`. */
export type TagsAnswer = {
  /** Of the envelope. */
  version: number,
  /** By type and value. */
  tags: Array<Tag>,
};

/** The answer of `GET api/admin/addons`. */
export type AddonsAnswer = {
  /** By id. */
  addons: Array<Addon>,
  /** All kinds there are. */
  providers: Array<AddonProvider>,
};

/** The answer of `GET api/admin/events`. */
export type EventsAnswer = {
  /** Of the envelope. */
  version: number,
  /** Newest first: at most 100, and at most 5 MiB of JSON. */
  events: Array<Event>,
};

/** The answer of `GET api/admin/events/{toggleName}`. */
export type ToggleEventsAnswer = {
  /** The toggle that was asked for. */
  toggleName: string,
  /** Newest first: at most 100, and at most 5 MiB of JSON. */
  events: Array<Event>,
};

/** The body of a failed call: each server fills in some of it, many nothing at all. */
export type ErrorBody = {
  /** A stable name of the failure, from this binary. */
  code?: string,
  /** By which the request is found again in logs, from this binary. */
  requestId?: string,
  /** A kind of failure, such as `NameExistsError`. */
  name?: string,
  /** What went wrong, for people. */
  message?: string,
  /** The same, on servers that call it so. */
  error?: string,
  /** The permission that is missing. */
  permission?: string,
  /** Every rule that was broken. */
  details?: Array<ErrorDetail>,
  /** The same, on servers that call it so. */
  errors?: Array<ErrorDetail>,
};

/** One broken rule. */
export type ErrorDetail = {
  /** What is wrong, for people. */
  message: string,
  /** Where the value stands: property names and list indexes. */
  path?: Array<string | number>,
};

/** Response of `GET /-/settings`. */
export type Settings = {
  /** Backend of the API. */
  mode: Mode,
  /** Host and port of the upstream flag service; null for the embedded one. */
  upstream: string | null,
  /** Version of Flagdeck. */
  version: string,
  /** True if users can sign out. */
  signOut: boolean,
  /** True if all changes are refused, whatever permissions the user has. */
  readOnly: boolean,
  /** True if switching a toggle requires confirmation. */
  confirmWrites: boolean,
  /** Additional origins from which images of users are loaded. */
  imageOrigins: Array<string>,
  /** Name of this deployment; null if the operator has not set one. */
  environment: Environment | null,
};

/** Name and colours of a deployment. Colours are in CSS notation. */
export type Environment = {
  /** The name. */
  label: string,
  /** Background colour. */
  colour: string,
  /** Text colour that is readable on the background. */
  textColour: string,
};

/** Backend of the API. */
export type Mode = "embedded" | "upstream";

/** Response of `POST /-/logout`. */
export type LoggedOut = {
  /** URL on another origin to which the flag service redirects after the sign-out. */
  location: string | null,
};

/** Response of `POST /-/examples`. */
export type ExamplesLoaded = {
  /** Number of created toggles. Existing toggles are not changed. */
  created: number,
};
