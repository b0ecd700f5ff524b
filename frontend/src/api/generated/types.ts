// API types, generated from the Rust types of responses. Do not edit.
// After a change there: make types

/** User with an account of this program. Times are in RFC 3339, UTC. */
export type Account = {
  /** User name, which identifies the account. */
  username: string;
  /** Full name; null if it is not known. */
  name: string | null;
  /** Email address, under which changes are recorded; null without one. */
  email: string | null;
  /** Names of the permissions, such as `CREATE_FEATURE`; `ADMIN` includes all. */
  permissions: Array<string>;
  /** True if an administrator has disabled the account: the user cannot sign in. */
  isDisabled: boolean;
  /** Time when the one-time password expires; null if the user has chosen the password. */
  oneTimeUntil: string | null;
  /** Creation time. */
  createdAt: string;
};

/** User to add. */
export type AccountDraft = {
  /** User name. */
  username: string;
  /** Full name. */
  name: string | null;
  /** Email address, under which changes are recorded. */
  email: string | null;
  /** Names of the permissions. */
  permissions: Array<string>;
};

/** User with a new one-time password, which no other response contains. */
export type AccountWithPassword = {
  /** User name, which identifies the account. */
  username: string;
  /** Full name; null if it is not known. */
  name: string | null;
  /** Email address, under which changes are recorded; null without one. */
  email: string | null;
  /** Names of the permissions, such as `CREATE_FEATURE`; `ADMIN` includes all. */
  permissions: Array<string>;
  /** True if an administrator has disabled the account: the user cannot sign in. */
  isDisabled: boolean;
  /** Time when the one-time password expires; null if the user has chosen the password. */
  oneTimeUntil: string | null;
  /** Creation time. */
  createdAt: string;
  /** Password for one sign-in, with which the user chooses another one. */
  oneTimePassword: string;
};

/** An addon, which sends events to another service. */
export type Addon = {
  /** Unique id, never reused. */
  id: number;
  /** The name of an [`AddonProvider`]. */
  provider: string;
  /** True if events are sent. */
  enabled: boolean;
  /** Free text. */
  description: string | null;
  /** Values by parameter name. Sensitive values read as five asterisks. */
  parameters: { [key: string]: string };
  /** Types of the events to send. */
  events: Array<string>;
};

/** The editable properties of an addon. */
export type AddonDraft = {
  /** The name of an [`AddonProvider`]. */
  provider: string;
  /** True if events are sent. */
  enabled: boolean;
  /** Free text. */
  description: string | null;
  /** Values by parameter name. Sensitive values read as five asterisks. */
  parameters: { [key: string]: string };
  /** Types of the events to send. */
  events: Array<string>;
};

/** Definition of an addon parameter. */
export type AddonParameter = {
  /** Key in [`AddonDraft::parameters`]. */
  name: string;
  /** Display name. */
  displayName: string;
  /** Type of the form field: `text`, `textfield` (several lines) or `url`. Other servers may have more types. */
  type: string;
  /** True if a value is required. */
  required: boolean;
  /** Help text. */
  description?: string;
  /** Example value. */
  placeholder?: string;
  /** True if the value is secret and always masked. Servers omit it if false. */
  sensitive?: boolean;
};

/** A provider of addons, such as `webhook`. */
export type AddonProvider = {
  /** Name in [`AddonDraft::provider`]. */
  name: string;
  /** Display name. */
  displayName: string;
  /** Short description. */
  description: string;
  /** Parameters of its addons. */
  parameters: Array<AddonParameter>;
  /** Event types that its addons can subscribe to. */
  events: Array<string>;
  /** URL of the documentation. Some servers omit it. */
  documentationUrl?: string;
  /** Tag types that set the channel or issue of a toggle. */
  tagTypes?: Array<TagType>;
};

/** Response of `GET api/admin/addons`. */
export type AddonsResponse = {
  /** All addons, sorted by id. */
  addons: Array<Addon>;
  /** All providers. */
  providers: Array<AddonProvider>;
};

/** A token without its secret. */
export type ApiToken = {
  /** Name, such as the name of the application that uses the token. */
  name: string;
  /** Kind. */
  kind: TokenKind;
  /** Origins of pages that may use a frontend token, as browsers send them, or `*` for every origin. Without any, only
   * requests without `Origin` may use it. */
  origins: Array<string>;
  /** Projects of the visible toggles; empty: all projects. */
  projects: Array<string>;
  /** Tags of the visible toggles as `type:value`, of which a toggle needs one; empty: all toggles. */
  tags: Array<string>;
  /** Creation time: RFC 3339, UTC. */
  createdAt: string;
  /** Author; null if it is not known. */
  createdBy: string | null;
  /** Time of the last use: RFC 3339, UTC, accurate to a minute; null without a known use. */
  lastUsedAt: string | null;
};

/** A token to create: its name and its rights. */
export type ApiTokenDraft = {
  /** Name, such as the name of the application that uses the token. */
  name: string;
  /** Kind. */
  kind: TokenKind;
  /** Origins of pages that may use a frontend token, as browsers send them, or `*` for every origin. Without any, only
   * requests without `Origin` may use it. */
  origins: Array<string>;
  /** Projects of the visible toggles; empty: all projects. */
  projects: Array<string>;
  /** Tags of the visible toggles as `type:value`, of which a toggle needs one; empty: all toggles. */
  tags: Array<string>;
};

/** Response of `GET api/admin/api-tokens`. */
export type ApiTokensResponse = {
  /** Tokens, sorted by name. */
  tokens: Array<ApiToken>;
};

/** Response of `GET api/admin/metrics/applications/{appName}`. */
export type Application = {
  /** Name of the application. */
  appName: string;
  /** Time of the first report: RFC 3339, UTC. */
  createdAt: string;
  /** Free text. */
  description: string | null;
  /** URL of the application or its description. Untrusted. */
  url: string | null;
  /** Never set; other servers return it. */
  color: string | null;
  /** Icon name. */
  icon: string | null;
  /** Strategies that it implements. */
  strategies: Array<StrategyDefinitionOrMissing>;
  /** Instances that reported recently. */
  instances: Array<Instance>;
  /** Toggles that it uses. */
  seenToggles: Array<ToggleOrMissing>;
  /** Links for the old Unleash console. */
  links: ApplicationLinks;
};

/** Paths below the console's base path. */
export type ApplicationLinks = {
  /** Path of its page. */
  self: string;
};

/** Response of `GET api/admin/metrics/applications`. */
export type ApplicationsResponse = {
  /** Applications, sorted by name. */
  applications: Array<SeenApp>;
};

/** Response of `GET api/admin/archive/features`. */
export type ArchiveResponse = {
  /** Archived toggles, sorted by name. */
  features: Array<Toggle>;
};

/** An added or removed list item. */
export type ArrayChange = {
  kind: "N";
  /** The item. */
  rhs: unknown;
} | {
  kind: "D";
  /** The item. */
  lhs: unknown;
};

/** Body of a 401 response: how to sign in. */
export type AuthDetails = {
  /** Message for the user. */
  message?: string;
  /** Alternative sign-in options. */
  options?: Array<AuthOption>;
  /** URL that the form is posted to or that the link opens. Untrusted. */
  path?: string;
  /** URL that signs the user in again without a question, if the identity provider still has a session of the user. The
   * provider had confirmed the last session of this browser. Untrusted. */
  silentPath?: string;
  /** Sign-in method: `password`, `unsecure` or `demo` (an email address is sufficient). Any other value means a link
   * to `path`. */
  type?: string;
};

/** An alternative sign-in option. */
export type AuthOption = {
  /** Name of the provider. */
  type: string;
  /** URL to open. Untrusted. */
  path: string;
  /** Label of the button. */
  value: string;
};

/** Capabilities of the API of a flag service. The console derives no behaviour from the version of a server. */
export type Capabilities = {
  /** A toggle has a state, strategies and permissions for each environment. */
  hasEnvironments: boolean;
  /** Single toggles can be read and changed. False only if the version rules it out. */
  managesToggles: boolean;
  /** The list of toggles contains variants and dependencies. */
  listsVariants: boolean;
  /** The list of toggles contains the strategies in their order. Otherwise single toggles are read. */
  listsOrderedStrategies: boolean;
  /** The list of archived toggles contains their strategies. */
  archivesStrategies: boolean;
  /** The list of toggles can be restricted to a tag. */
  filtersByTag: boolean;
  /** Strategies are ordered by a number that a save must contain. */
  numbersStrategies: boolean;
  /** A toggle must have a strategy. */
  needsStrategy: boolean;
  /** Titles and the disabled state of strategies can be edited. */
  editsStrategyTitles: boolean;
  /** Properties of strategies without an editor can be changed by import only. */
  importsStrategyProperties: boolean;
  /** Segments can be listed, created, edited and deleted, and strategies refer to them. */
  managesSegments: boolean;
  /** Operators of constraints that can be edited. */
  operators: Operators;
  /** A definition of a strategy can be replaced together with its property `deprecated`. */
  acceptsDeprecated: boolean;
  /** Switching a toggle on may add or enable strategies. */
  switchAddsStrategies: boolean;
  /** A request copies a toggle with all its environments and tags. */
  copiesEnvironments: boolean;
  /** A revived toggle is off in every environment. Otherwise it has its previous state there. */
  reviveStaysOff: boolean;
  /** The project of a toggle can be changed. */
  movesToggles: boolean;
  /** Variants belong to strategies. Those of toggles are deprecated. */
  storesVariantsInStrategies: boolean;
  /** The stickiness of variants is stored. */
  storesVariantStickiness: boolean;
  /** The stickiness and the sort order of a context field are stored. */
  storesFieldDetails: boolean;
  /** Effect of an edit of a context field on its sort order. */
  sortOrderInEdit: SortOrderInEdit;
  /** Applications that use a toggle. */
  seenApps: SeenApps;
  /** The differences in events may be those to an event of another strategy or environment. */
  mixesEventDiffs: boolean;
};

/** Whether a change of a plan can be applied. `ready`: The toggle is as the plan saw it. `applied`: The toggle is already as planned. `outdated`: The toggle, or a part of its effect, has changed since the plan was made. */
export type ChangeStatus = "ready" | "applied" | "outdated";

/** An API that applications use. OpenFeature clients are not recorded, because they send no reports. `server`: The API of servers, which read definitions. `streaming`: The API of servers, with an event stream instead of polling. `browser`: The API of browsers and phones, which receive results. */
export type ClientApi = "server" | "streaming" | "browser";

/** A condition on a context field. */
export type Constraint = {
  /** Name of a context field. */
  contextName: string;
  /** Comparison operator, such as `IN` or `SEMVER_GT`. An operator that a client library does not know never matches. */
  operator: string;
  /** If true, texts are compared without case. */
  caseInsensitive?: boolean | null;
  /** If true, the constraint matches if the comparison does not. */
  inverted?: boolean | null;
  /** Value of operators that compare with one value. */
  value?: string | null;
  /** Values of operators that compare with a list. Servers accept constraints without values. */
  values?: Array<string>;
};

/** Problem of the definition of a constraint. `unknownOperator`: The operator is unknown. The constraint never matches. `invalidNumber`: The value is not a number. `invalidTime`: The value is not a time. `invalidVersion`: The value is not a semantic version. `invalidPattern`: The pattern is invalid, not supported, or too large. `invalidNetwork`: None of the values is a network. */
export type ConstraintProblem = "unknownOperator" | "invalidNumber" | "invalidTime" | "invalidVersion" | "invalidPattern" | "invalidNetwork";

/** Outcome of a constraint. */
export type ConstraintReason = {
  /** Name of the context field. */
  field: string;
  /** True if the constraint matches. */
  matches: boolean;
  /** Client libraries in which the constraint does not have this outcome, or whose outcome is not known. */
  differing?: Array<Library>;
  /** Problem of the definition. */
  problem?: ConstraintProblem;
  /** Value of the context field; absent if the context has none. */
  value?: string;
};

/** A context field for constraints and stickiness. */
export type ContextField = {
  /** Key in the client's context. */
  name: string;
  /** Description. */
  description: string | null;
  /** True if rollouts can use it for stickiness. Older servers omit it. */
  stickiness?: boolean;
  /** Position in lists, ascending. */
  sortOrder: number;
  /** Creation time: RFC 3339, UTC. */
  createdAt?: string;
  /** Allowed values. If it is missing, all values are allowed. */
  legalValues?: Array<string>;
};

/** Result of one toggle for one context. */
export type ContextResult = {
  /** The result. */
  result: EvaluationResult;
  /** Probability, if the result is random. */
  probability?: number;
  /** Reasons, with `detail: "reasons"`. */
  reasons?: Explanation;
  /** Name of the variant, if it is certain. */
  variant?: string;
};

/** Evaluation counts of a toggle. */
export type Counts = {
  /** Evaluations that returned true. */
  yes: number;
  /** Evaluations that returned false. */
  no: number;
};

/** A new token with its secret, which no other response contains. */
export type CreatedApiToken = {
  /** Name, such as the name of the application that uses the token. */
  name: string;
  /** Kind. */
  kind: TokenKind;
  /** Origins of pages that may use a frontend token, as browsers send them, or `*` for every origin. Without any, only
   * requests without `Origin` may use it. */
  origins: Array<string>;
  /** Projects of the visible toggles; empty: all projects. */
  projects: Array<string>;
  /** Tags of the visible toggles as `type:value`, of which a toggle needs one; empty: all toggles. */
  tags: Array<string>;
  /** Creation time: RFC 3339, UTC. */
  createdAt: string;
  /** Author; null if it is not known. */
  createdBy: string | null;
  /** Time of the last use: RFC 3339, UTC, accurate to a minute; null without a known use. */
  lastUsedAt: string | null;
  /** Secret that SDKs send in the header `Authorization`. */
  secret: string;
};

/** Cause of the result of a toggle. `unknownToggle`: There is no such toggle. Client libraries then return off. `toggleDisabled`: The toggle is switched off. `parentNotSatisfied`: A condition on a parent toggle does not hold. `noStrategies`: The toggle has no strategies, and is therefore on. `allStrategiesDisabled`: All strategies are disabled. `strategyMatches`: A strategy matches, for certain or as the result describes. `noStrategyMatches`: No strategy matches. */
export type Decision = "unknownToggle" | "toggleDisabled" | "parentNotSatisfied" | "noStrategies" | "allStrategiesDisabled" | "strategyMatches" | "noStrategyMatches";

/** File that the toggles come from. */
export type DefinitionsFile = {
  /** Name of the file, without its folder. */
  file: string;
  /** Results that replace those of the file, such as `checkout=on`. */
  overrides: Array<string>;
};

/** A condition on another toggle, the parent. A toggle is off if one of its conditions does not hold. */
export type Dependency = {
  /** Name of the parent, which has no dependencies itself. */
  feature: string;
  /** Whether the parent must be on or off. Default: on. */
  enabled?: boolean | null;
  /** Variants of which the parent must have one. Default: any. */
  variants?: Array<string> | null;
};

/** Extent of the response. `counts`: Counts, and with `compare` the indexes of contexts that change. `results`: Also the result of each context. `reasons`: Also the reasons of each result. */
export type Detail = "counts" | "results" | "reasons";

/** A change. `lhs` is the value before, `rhs` the value after. */
export type Diff = {
  kind: "N";
  /** Path of the property. */
  path: Array<PathStep>;
  /** Value. */
  rhs: unknown;
} | {
  kind: "D";
  /** Path of the property. */
  path: Array<PathStep>;
  /** Value before. */
  lhs: unknown;
} | {
  kind: "E";
  /** Path of the property. */
  path: Array<PathStep>;
  /** Value before. */
  lhs: unknown;
  /** Value after. */
  rhs: unknown;
} | {
  kind: "A";
  /** Path of the list. */
  path: Array<PathStep>;
  /** Index of the item. */
  index: number;
  /** The added or removed item. */
  item: ArrayChange;
};

/** Effect of a change on who gets the feature of a toggle. All except `neither` and `narrows` may give it to somebody for the first time. `neither`: Every context gets the same as before. `narrows`: Some contexts may get the feature no longer, and no context gets anything new. `widens`: Some contexts may get the feature for the first time, and every other one gets the same as before. `mayWiden`: Cannot be decided: client libraries read the rules in different ways, or only the application knows whom they select. `changes`: Some contexts may get the feature, or another variant, for the first time, and others no longer. */
export type Effect = "neither" | "narrows" | "widens" | "mayWiden" | "changes";

/** A hold that has ended. */
export type EndedHold = {
  /** Name of the toggle. */
  toggle: string;
  /** Environment of the tokens; null for all. */
  environment: string | null;
  /** The reason of the hold. */
  reason: string;
  /** The person or program that held the toggle. */
  heldBy: string;
  /** Start. */
  start: string;
  /** Time of the end. */
  endedAt: string;
  /** Why it has ended. */
  end: HoldEnd;
  /** The person who has released it; null for other ends. */
  person: string | null;
};

/** Body of an error response. Each server sets some of the fields, some servers none. */
export type ErrorBody = {
  /** Stable error code, set by Flagdeck. */
  code?: string;
  /** Validation errors. */
  details?: Array<ErrorDetail>;
  /** Error message on servers that use this name. */
  error?: string;
  /** Validation errors on servers that use this name. */
  errors?: Array<ErrorDetail>;
  /** Error message. */
  message?: string;
  /** Error class, such as `NameExistsError`. */
  name?: string;
  /** The missing permission. */
  permission?: string;
  /** Request id for finding the request in logs, set by Flagdeck. */
  requestId?: string;
};

/** A validation error. */
export type ErrorDetail = {
  /** Error message. */
  message: string;
  /** Path of the invalid value: property names and list indexes. */
  path?: Array<PathStep>;
};

/** Body of `POST /-/evaluate`. */
export type EvaluateRequest = {
  /** Contexts, at least one: fields by name, also in `properties`. Without `currentTime`, the current time. */
  contexts: Array<{ [key: string]: unknown }>;
  /** Time of a recorded state in RFC 3339, whose toggles are evaluated: with the flight recorder, and without `toggles`. It is
   * the default of `currentTime`. */
  at?: string | null;
  /** Edited versions of toggles, to compare with. */
  compare?: Array<EvaluatedToggle> | null;
  /** Extent of the response. */
  detail?: Detail;
  /** Environment of the scope of a recorded state. */
  environment?: string | null;
  /** Names of the toggles to evaluate. Default: all. */
  names?: Array<string> | null;
  /** Identifier or name of the scope of a recorded state. */
  scope?: string | null;
  /** Segments as servers send them. */
  segments?: Array<EvaluatedSegment> | null;
  /** Toggles as servers send them. Default: those of the embedded service. */
  toggles?: Array<EvaluatedToggle> | null;
  /** Seed of the variant hash. Default: the seed of current client libraries. 0 for libraries from before October 2023. */
  variantSeed?: number | null;
};

/** Response of `POST /-/evaluate`. With `at`, it describes the recorded state. */
export type EvaluateResponse = {
  /** The evaluated toggles, in the order of `names` or of `toggles`. */
  toggles: Array<ToggleResult>;
  /** The recorded state that was evaluated; absent without `at`. Results of random stickiness cannot be reproduced. */
  recording?: PastTime;
};

/** A condition on a context field. */
export type EvaluatedConstraint = {
  /** If true, texts are compared without case. */
  caseInsensitive?: boolean | null;
  /** Name of the context field. */
  contextName?: string | null;
  /** If true, the condition is reversed. */
  inverted?: boolean | null;
  /** Operator, such as `IN` or `SEMVER_GTE`. */
  operator?: string | null;
  /** Value of operators that compare with one. */
  value?: unknown;
  /** Values of operators that compare with several. */
  values?: Array<unknown> | null;
};

/** Values of a context field that always get one variant. */
export type EvaluatedOverride = {
  /** Name of the context field. */
  contextName?: string | null;
  /** Values. */
  values?: Array<unknown> | null;
};

/** A condition on another toggle, the parent. */
export type EvaluatedParent = {
  /** Whether the parent must be on (the default) or off. */
  enabled?: boolean | null;
  /** Name of the parent. */
  feature?: string | null;
  /** Variants of which the parent must have one; empty for any. */
  variants?: Array<unknown> | null;
};

/** Data of a variant. */
export type EvaluatedPayload = {
  /** Format, such as `json`. */
  type?: string | null;
  /** Value as text. */
  value?: unknown;
};

/** A named list of constraints that several strategies share. */
export type EvaluatedSegment = {
  /** Id, a number on current servers. */
  id: unknown;
  /** Constraints, which must all match. */
  constraints?: Array<EvaluatedConstraint> | null;
  /** Name. */
  name?: string | null;
};

/** A strategy of a toggle. */
export type EvaluatedStrategy = {
  /** Name of a built-in or custom strategy. */
  name: string;
  /** Constraints, which must all match. */
  constraints?: Array<EvaluatedConstraint> | null;
  /** If true, the strategy is ignored. */
  disabled?: boolean | null;
  /** Parameters. Numbers and booleans are read as texts; other values are ignored. */
  parameters?: { [key: string]: unknown } | null;
  /** Ids of segments, whose constraints must all match. */
  segments?: Array<unknown> | null;
  /** Variants of this strategy. */
  variants?: Array<EvaluatedVariant> | null;
};

/** A toggle of the client or the admin API. */
export type EvaluatedToggle = {
  /** Name. */
  name: string;
  /** Conditions on other toggles, which must all hold. */
  dependencies?: Array<EvaluatedParent> | null;
  /** If false, the toggle is off. */
  enabled?: boolean | null;
  /** Strategies, of which one must match. Without strategies, the toggle is on. */
  strategies?: Array<EvaluatedStrategy> | null;
  /** Variants. */
  variants?: Array<EvaluatedVariant> | null;
};

/** A variant of a toggle or of a strategy. */
export type EvaluatedVariant = {
  /** Name. */
  name: string;
  /** Context values that always get this variant. */
  overrides?: Array<EvaluatedOverride> | null;
  /** Data for the application. */
  payload?: EvaluatedPayload | null;
  /** Context field that keeps an id on the same variant. That of the first variant counts. */
  stickiness?: string | null;
  /** Share, relative to the sum of all weights. */
  weight?: number | null;
};

/** Result of a toggle, a strategy, or a condition on a parent toggle. `off`: Off. `on`: On. `application`: Decided by the application. `random`: On with a probability. */
export type EvaluationResult = "off" | "on" | "application" | "random";

/** An event: a change of an item. */
export type Event = {
  /** Id, ascending in the order of recording. */
  id: number;
  /** Event type, such as `feature-created`. */
  type: string;
  /** Author of the change. */
  createdBy: string;
  /** Time of the change: RFC 3339, UTC. */
  createdAt: string;
  /** The item after the change, or only its name. */
  data: { [key: string]: unknown } | null;
  /** Tags of the item at that time. */
  tags?: Array<Tag> | null;
  /** Differences from the previous event of the item; null if there is none to compare with. */
  diffs: Array<Diff> | null;
};

/** Response of `GET api/admin/events`. */
export type EventsResponse = {
  /** Version of the envelope. */
  version: number;
  /** Events, newest first. At most 100, and at most 5 MiB of JSON. */
  events: Array<Event>;
  /** The value of `before` that lists the events that follow, which are older. Absent if there are none. */
  nextBefore?: number;
};

/** Response of `POST /-/examples`. */
export type ExamplesLoaded = {
  /** Number of created toggles. Existing toggles are not changed. */
  created: number;
};

/** Explanation of the result of one toggle for one context. */
export type Explanation = {
  /** Cause of the result. */
  decision: Decision;
  /** Conditions on parent toggles, in the order of the toggle. */
  parents: Array<ParentReason>;
  /** All strategies, in the order of the toggle, including those that did not decide. */
  strategies: Array<StrategyReason>;
  /** Client libraries that decide otherwise, or in a way that is not known. */
  differing?: Array<Library>;
  /** The hold of the toggle, if the state is one that SDKs get: they get the toggle as off. */
  hold?: PastHold;
  /** Index of the strategy that decides, if one does. */
  strategy?: number;
  /** Selection of the variant; absent if no strategy that matches has variants, and for a toggle that is off. */
  variant?: VariantReason;
};

/** A toggle type. */
export type FeatureType = {
  /** Id, which a toggle's `type` contains. */
  id: string;
  /** Display name. */
  name: string;
  /** Description of the purpose. */
  description: string;
  /** Expected lifetime of a toggle in days; null if it is permanent. */
  lifetimeDays: number | null;
};

/** Response of `GET api/admin/feature-types`. */
export type FeatureTypesResponse = {
  /** Version of the envelope. */
  version: number;
  /** Toggle types in display order. */
  types: Array<FeatureType>;
};

/** Response of `GET api/admin/features`. */
export type FeaturesResponse = {
  /** Version of the envelope. */
  version: number;
  /** Toggles that are not archived, sorted by name. */
  features: Array<Toggle>;
};

/** A problem of a file or of a plan. */
export type FileProblem = {
  /** Name of the file. */
  file: string;
  /** Line, from 1; null in plans and in exports, whose toggles have other places. */
  line: number | null;
  /** Column, from 1; null together with the line. */
  column: number | null;
  /** Cause and remedy. */
  message: string;
};

/** Body of `POST /-/files`: toggles that are written as a file. */
export type FileRequest = {
  /** Toggles in the format of the API. */
  toggles: Array<Toggle>;
  /** Segments, whose names the file contains; an empty list if the flag service has none. */
  segments?: Array<EvaluatedSegment>;
  /** True if the file owns whether toggles are on or stale, and percentages. */
  state?: boolean;
};

/** Response of `POST /-/files`. */
export type FileResponse = {
  /** A file as `flagdeck pull` writes it. */
  yaml: string;
};

/** A time without records. Changes in it are known only by their result. */
export type Gap = {
  /** Time of the last record before. */
  from: string;
  /** Time of the first record after it; null if there is none. */
  to: string | null;
  /** The reason. */
  reason: GapReason;
};

/** The reason for a time without records. `notRunning`: The process did not run. `notWritten`: The recorder could not write, for example because the disk was full. `clockSet`: The clock was set. `handedOver`: Another instance, or this one after it was killed, took over the recording. `tooLarge`: The records were removed, because all of them were too large. `notConfirmed`: There is no later record: the process ended, or has not confirmed the state yet. `refused`: The upstream refused the token, so that its SDKs got no toggles. `notRequested`: No SDK had requested these toggles before. */
export type GapReason = "notRunning" | "notWritten" | "clockSet" | "handedOver" | "tooLarge" | "notConfirmed" | "refused" | "notRequested";

/** A toggle that depends on a held one. */
export type HoldChild = {
  /** Name. */
  name: string;
  /** True if the toggle requires the held one to be off, so that it can be on; false if it is off too. */
  turnsOn: boolean;
};

/** Body of `POST /-/holds`. */
export type HoldDraft = {
  /** Name of the toggle. */
  toggle: string;
  /** The reason. */
  reason: string;
  /** Environment of the tokens. Default: all. */
  environment?: string | null;
  /** Duration in seconds, at most 86,400. Default: 7,200. */
  seconds?: number | null;
};

/** Why a hold has ended. `expired`: Its time has passed. `released`: It was released. `switchedOff`: The flag service itself has switched the toggle off. */
export type HoldEnd = "expired" | "released" | "switchedOff";

/** Response of `GET /-/holds`: toggles that SDKs of this process get as off. */
export type HoldList = {
  /** The holds, the later ones last. */
  holds: Array<ListedHold>;
  /** The last holds that have ended, the last one first. */
  ended: Array<EndedHold>;
  /** Why holds cannot be stored and those of other instances cannot be read, as a clause; null if they can. */
  storageFault: string | null;
};

/** Response of `GET /-/holds/{toggle}`: the effect that a hold would have, from the toggles that SDKs get now. */
export type HoldPreview = {
  /** Number of tokens and queries whose toggles contain the toggle. */
  copies: number;
  /** True if the toggle is off for all of them already. */
  isOff: boolean;
  /** Number of instances of applications that get the toggle from this process; null if no token gets it. SDKs that get toggles
   * elsewhere do not see the hold. */
  instances: number | null;
  /** True if there are more instances than are counted. */
  hasMoreInstances: boolean;
  /** Toggles that depend on the toggle, sorted by name. */
  children: Array<HoldChild>;
  /** Last characters of the tokens for which the hold has no effect, because their toggles do not contain the toggle or
   * they belong to another environment. */
  withoutEffect: Array<string>;
  /** True if the flag service evaluates toggles for browsers: their requests are forwarded, and they see the hold while it
   * responds. */
  forwardsBrowsers: boolean;
};

/** A running instance of an application. */
export type Instance = {
  /** Name of the application. */
  appName: string;
  /** Id that the instance chose. */
  instanceId: string;
  /** Name and version of its client library. */
  sdkVersion: string | null;
  /** IP address of its last report. */
  clientIp: string;
  /** API that it uses; null if it is not known. */
  api: ClientApi | null;
  /** Time of the last report: RFC 3339, UTC. */
  lastSeen: string;
  /** Time of the first report: RFC 3339, UTC. */
  createdAt: string;
};

/** The time of a change: the flag service was changed after the first time, and SDKs of this process got the change at the
 * second one or later. */
export type Interval = {
  /** Last time at which the state before was confirmed; null if it is not known. */
  after: string | null;
  /** Time from which this process served the new state. */
  by: string;
};

/** A list of items to which toggles refer, and which files cannot define. `projects`: Ids of projects. `strategies`: Names of strategy definitions. `contextFields`: Names of context fields. */
export type ItemList = "projects" | "strategies" | "contextFields";

/** The reason why a journal ends at a page. `start`: The journal starts there. `missing`: Older lines are in files that are not beside the journal, or are compressed or damaged. `period`: All older lines are before the first time of the query. */
export type JournalEnd = "start" | "missing" | "period";

/** An item that a request changes. */
export type JournalItem = {
  /** Kind in words, such as `toggle` or `tag type`. */
  type: string;
  /** The name. */
  name: string;
};

/** A line of the journal. */
export type JournalLine = {
  /** Number of the line. It increases by one, also across files and restarts. */
  sequence: number;
  /** Time of the response: RFC 3339 in UTC. */
  time: string;
  /** Kind of the line. */
  kind: LineKind;
  /** Hash of the line before this one. */
  previous: string;
  /** Address of the client. */
  address?: string;
  /** SHA-256 of the body of a change, if it was read to its end and contains no password. */
  bodySha256?: string;
  /** The change in words: of the recorded events, or else of the request. */
  change?: string;
  /** Environment of a flag service with environments. */
  environment?: string;
  /** Ids of the events that the change recorded in the history; at most some. */
  events?: Array<number>;
  /** Name of the machine and id of the process, in a start line and in a checkpoint. */
  instance?: string;
  /** The item that the path or the recorded event names. */
  item?: JournalItem;
  /** Public key of the signatures, in a start line and in a checkpoint. */
  key?: string;
  /** Number of missing lines, in a gap line. */
  lost?: number;
  /** Method of the request. */
  method?: string;
  /** Path of the request, without the query. */
  path?: string;
  /** The person who sent the request. */
  person?: Person;
  /** Size of an incomplete last line that the start removed, in bytes. */
  removedBytes?: number;
  /** Id of the request in the log and in error messages. */
  requestId?: string;
  /** Status of the response; 499 if the client disconnected before. For a command, the status of a request with its result. */
  status?: number;
  /** Version of the program, in a start line. */
  version?: string;
};

/** A page of the journal. */
export type JournalPage = {
  /** Lines that match the query, newest first. Checkpoints, and kinds of newer versions, are left out. */
  lines: Array<JournalLine>;
  /** The value of `before` for older lines; null if there are none to read. */
  next: string | null;
  /** The reason why there are no older lines to read; null if there are some. */
  end: JournalEnd | null;
  /** Time of the oldest line that was searched; null if there was none. */
  searchedUntil: string | null;
};

/** A client library. Its rules are those of its source, for every value that servers store. `node`: `unleash-client` 6 for Node. `node3`: `unleash-client` 3 for Node, which knows neither parents nor variants of strategies. `python`: `UnleashClient` 6 for Python, whose engine (Yggdrasil) several other libraries use. */
export type Library = "node" | "node3" | "python";

/** Kind of a line. `change`: A request that changes something, accepted or refused. `sign-in`: A sign-in, accepted or refused. `sign-out`: A sign-out. `start`: The start of the program, or of a new file. `gap`: Lines that could not be written, or were left out because too many requests without a known person were refused. `checkpoint`: A signed line, which confirms all lines before it. */
export type LineKind = "change" | "sign-in" | "sign-out" | "start" | "gap" | "checkpoint";

/** A link for the console to show. */
export type Link = {
  /** Text of the link. */
  value: string;
  /** URL. Untrusted. */
  href: string;
  /** Icon name. */
  icon?: string | null;
  /** Tooltip. */
  title?: string | null;
};

/** A hold. */
export type ListedHold = {
  /** Name of the toggle. */
  toggle: string;
  /** Environment of the tokens; null for all. */
  environment: string | null;
  /** The reason. */
  reason: string;
  /** The person or program that holds the toggle. */
  person: string;
  /** Start. */
  start: string;
  /** End. */
  expires: string;
  /** Seconds until the end, which can be earlier than `expires` if a clock was set back. */
  secondsLeft: number;
  /** True if the hold is in the database and survives a restart. */
  isStored: boolean;
};

/** A segment with the number of projects and toggles that use it. */
export type ListedSegment = {
  /** Id, which a strategy's `segments` contain. */
  id: number;
  /** Display name. */
  name: string;
  /** Free text. */
  description: string | null;
  /** Constraints, which must all match. */
  constraints: Array<Constraint>;
  /** Author. */
  createdBy: string | null;
  /** Creation time: RFC 3339, UTC. */
  createdAt: string;
  /** Number of projects with toggles that use the segment. */
  usedInProjects: number;
  /** Number of toggles that use the segment and are not archived. */
  usedInFeatures: number;
};

/** Response of `POST /-/logout`. */
export type LoggedOut = {
  /** URL on another origin to which the flag service redirects after the sign-out. */
  location: string | null;
};

/** A reference to an item that does not exist. */
export type MissingItem = {
  /** Name that the application sent. */
  name: string;
  /** Always true. */
  notFound: boolean;
};

/** Backend of the API. `embedded`: The embedded flag service. `upstream`: An upstream flag service. */
export type Mode = "embedded" | "upstream";

/** A file. */
export type NamedText = {
  /** Name of the file, for messages. */
  name: string;
  /** Content of the file. */
  text: string;
};

/** Response of `POST /-/holds`. */
export type NewHold = {
  /** The hold. */
  hold: ListedHold;
  /** Its effect. */
  effect: HoldPreview;
  /** See [`HoldList::storage_fault`]. */
  storageFault: string | null;
};

/** A flag service with projects and environments (Unleash 5 to 8.2). */
export type NewerServer = {
  /** Version; null if the server does not report it. */
  version: string | null;
  /** Environments that can be selected, in the server's order. */
  environments: Array<ServerEnvironment>;
  /** Environment that the operator has selected for all users; null if users select it. */
  environment: string | null;
  /** Project that the operator has selected for all users; null for all projects. */
  project: string | null;
  /** Ids of the projects. */
  projects: Array<string>;
};

/** Operators of constraints that can be edited. `basic`: `IN` and `NOT_IN`. `extended`: Those of 5 to 7. `all`: Those of 8. `withNetworks`: Those of 8, and `IN_CIDR`. */
export type Operators = "basic" | "extended" | "all" | "withNetworks";

/** Values of a context field that always get one variant. */
export type Override = {
  /** Name of the context field, such as `userId`. */
  contextName: string;
  /** Values that get the variant. */
  values: Array<string>;
};

/** Definition of a strategy parameter. */
export type ParameterDefinition = {
  /** Key in a strategy's `parameters`. */
  name: string;
  /** Type of the value. */
  type: ParameterType;
  /** Help text. */
  description: string;
  /** True if a value is required. */
  required: boolean;
};

/** Type of a parameter, which selects the form field. The value is always a string in the API. `string`: Any text. `percentage`: Number from 0 to 100. `list`: Comma-separated strings. `number`: A decimal number. `boolean`: `true` or `false`. */
export type ParameterType = "string" | "percentage" | "list" | "number" | "boolean";

/** Cause why a parent toggle cannot be used. `missing`: It does not exist. `hasParents`: It has parents itself, which servers do not allow. */
export type ParentProblem = "missing" | "hasParents";

/** Outcome of a condition on a parent toggle. */
export type ParentReason = {
  /** Name of the parent. */
  name: string;
  /** Whether the condition holds. */
  result: EvaluationResult;
  /** Whether the parent must be on. */
  expectsEnabled: boolean;
  /** Result of the parent; absent if it cannot be used. */
  parentResult?: EvaluationResult;
  /** Variant of the parent, if it is certain. */
  parentVariant?: string;
  /** Probability, if the result is random. */
  probability?: number;
  /** Cause why the parent cannot be used. */
  problem?: ParentProblem;
};

/** The changes of a toggle or a segment. */
export type PastChange = {
  /** `toggle` or `segment`. */
  kind: string;
  /** Name of the toggle or segment. */
  name: string;
  /** The change in words, such as `switched off`. */
  summary: string;
  /** State before the first change; null if it did not exist. */
  before: { [key: string]: unknown } | null;
  /** State after the last change; null if it does not exist any more. */
  after: { [key: string]: unknown } | null;
  /** Number of recorded changes. */
  count: number;
  /** Interval of the first change. */
  first: Interval;
  /** Interval of the last change. */
  last: Interval;
};

/** Response of `GET /-/changes`: the changes between two times, and the holds. */
export type PastChanges = {
  /** Start of the time. */
  from: string;
  /** End of the time. */
  to: string;
  /** The scope. */
  scope: RecordedScope;
  /** Other scopes that the request could select. */
  otherScopes: Array<RecordedScope>;
  /** One entry for each changed toggle and segment, in the order of the last changes. */
  changes: Array<PastChange>;
  /** True if more toggles and segments changed than the list contains. */
  isTruncated: boolean;
  /** Number of changes whose states are not recorded, because later ones arrived before they could be written. */
  missed: number;
  /** Times without records. */
  gaps: Array<Gap>;
  /** Holds in this time, as far as the running process knows them. */
  holds: Array<PastHold>;
};

/** A hold of a toggle, which may have ended. */
export type PastHold = {
  /** Name of the toggle. */
  toggle: string;
  /** Environment of the tokens; null for all. */
  environment: string | null;
  /** The person or program that held the toggle. */
  person: string;
  /** The reason. */
  reason: string;
  /** Start. */
  start: string;
  /** End, which may be in the future. */
  end: string;
};

/** The state at a time, in the format of an export. */
export type PastState = {
  /** Version of the format of exports: 1. */
  version: number;
  /** Toggles as SDKs got them, sorted by name. */
  features: Array<{ [key: string]: unknown }>;
  /** Segments as SDKs got them. */
  segments: Array<{ [key: string]: unknown }>;
  /** The recorded time and scope. */
  recording: PastTime;
};

/** The time and the scope of a recorded state. */
export type PastTime = {
  /** The requested time. */
  at: string;
  /** The scope. */
  scope: RecordedScope;
  /** Other scopes that the request could select. */
  otherScopes: Array<RecordedScope>;
  /** Interval of the last change before. */
  since: Interval;
  /** The time without records that contains the requested time; null if this process served the state then. */
  gap: Gap | null;
};

/** A step of a path. */
export type PathStep = string | number;

/** Data of a variant for the application. */
export type Payload = {
  /** Format of the value. */
  type: PayloadType;
  /** Value as text. */
  value: string;
};

/** Format of a payload. `string`: Plain text. `json`: JSON document. `csv`: Comma-separated values. `number`: Number. */
export type PayloadType = "string" | "json" | "csv" | "number";

/** Evaluation counts of a toggle in an application during one hour or minute. */
export type PeriodCounts = {
  /** Name of the toggle. */
  featureName: string;
  /** Name of the application. Empty for applications that are not counted separately. */
  appName: string;
  /** Environment. Always `default` on servers without environments. */
  environment: string;
  /** Start of the period: RFC 3339, UTC. */
  timestamp: string;
  /** Evaluations that returned true. */
  yes: number;
  /** Evaluations that returned false. */
  no: number;
};

/** A permission, in the formats of 3.x and 4.x servers. */
export type Permission = string | {
  /** Name, such as `ADMIN` or `CREATE_FEATURE`. */
  permission: string;
};

/** Change of the permissions of a user. Permissions that are in neither list stay as they are. */
export type PermissionChange = {
  /** Names of the permissions to grant. */
  granted: Array<string>;
  /** Names of the permissions to revoke. */
  revoked: Array<string>;
};

/** Groups that grant a permission. */
export type PermissionGrant = {
  /** Name of the permission. */
  permission: string;
  /** Groups of the user that grant the permission; or else, if the user lacks it, all groups that would grant it. */
  groups: Array<string>;
  /** True if the user has the permission because of these groups. */
  isGranted: boolean;
};

/** A permission that a change requires. Reading requires none. `ADMIN`: Everything. `CREATE_FEATURE`: Create and copy toggles. `UPDATE_FEATURE`: Edit, switch, mark, tag and revive toggles. `DELETE_FEATURE`: Archive toggles. `CREATE_STRATEGY`: Add strategies. `UPDATE_STRATEGY`: Edit, deprecate and reactivate strategies. `DELETE_STRATEGY`: Delete strategies. `UPDATE_APPLICATION`: Describe and delete applications. `CREATE_CONTEXT_FIELD`: Add context fields. `UPDATE_CONTEXT_FIELD`: Edit context fields. `DELETE_CONTEXT_FIELD`: Delete context fields. `CREATE_SEGMENT`: Add segments. `UPDATE_SEGMENT`: Edit segments. `DELETE_SEGMENT`: Delete segments. `CREATE_PROJECT`: Add projects. `UPDATE_PROJECT`: Edit projects. `DELETE_PROJECT`: Delete projects. `CREATE_TAG_TYPE`: Add tag types. `UPDATE_TAG_TYPE`: Edit tag types. `DELETE_TAG_TYPE`: Delete tag types. `CREATE_TAG`: Add tags. `DELETE_TAG`: Delete tags. `CREATE_ADDON`: Add addons. `UPDATE_ADDON`: Edit addons. `DELETE_ADDON`: Delete addons. `CREATE_API_TOKEN`: Add API tokens. `DELETE_API_TOKEN`: Delete API tokens. */
export type PermissionName = "ADMIN" | "CREATE_FEATURE" | "UPDATE_FEATURE" | "DELETE_FEATURE" | "CREATE_STRATEGY" | "UPDATE_STRATEGY" | "DELETE_STRATEGY" | "UPDATE_APPLICATION" | "CREATE_CONTEXT_FIELD" | "UPDATE_CONTEXT_FIELD" | "DELETE_CONTEXT_FIELD" | "CREATE_SEGMENT" | "UPDATE_SEGMENT" | "DELETE_SEGMENT" | "CREATE_PROJECT" | "UPDATE_PROJECT" | "DELETE_PROJECT" | "CREATE_TAG_TYPE" | "UPDATE_TAG_TYPE" | "DELETE_TAG_TYPE" | "CREATE_TAG" | "DELETE_TAG" | "CREATE_ADDON" | "UPDATE_ADDON" | "DELETE_ADDON" | "CREATE_API_TOKEN" | "DELETE_API_TOKEN";

/** The person who sent a request. */
export type Person = {
  /** How the person is known. */
  known: PersonSource;
  /** The party that names the person: the issuer of an identity provider, the address of the upstream or of the proxy, or the
   * name of the machine on which a command ran. Absent for users of the embedded flag service. */
  iss?: string;
  /** Display name. */
  name?: string;
  /** Identifier of the person at that party: a subject, a user name or an email address; or a digest of the session. */
  sub?: string;
};

/** How a person is known. `password`: The person signed in with a password. `unverified-email`: The person entered an email address, which was not verified. `identity-provider`: The person signed in at an identity provider. `upstream`: The upstream reported the user of the session. `no-sign-in`: There is no sign-in: everybody is the operator. `proxy`: A trusted proxy named the user in a header. `command-line`: The user of the operating system ran a command of `flagdeck`. `session-digest`: The upstream did not report the user. The digest distinguishes sessions. `unknown`: The request has no valid session. When read, also the source of a newer version. */
export type PersonSource = "password" | "unverified-email" | "identity-provider" | "upstream" | "no-sign-in" | "proxy" | "command-line" | "session-digest" | "unknown";

/** Body of `POST /-/plans`: files, and the state of the flag service as far as the client has read it. The endpoint changes nothing. */
export type PlanRequest = {
  /** A plan, or files with toggles. */
  files: Array<NamedText>;
  /** Name of the flag service, for plans that are made from files. */
  target: string;
  /** Names of the toggles that exist, each with the names of the toggles that it depends on. */
  existing: { [key: string]: Array<string> };
  /** Names of the archived toggles. */
  archived: Array<string>;
  /** The toggles that the client has read. */
  toggles: Array<Toggle>;
  /** Segments; an empty list if the flag service has none. */
  segments: Array<EvaluatedSegment>;
  /** Names or ids of the items that exist, as far as the client has read them; null for a list that the flag service does not have or
   * does not show to the user. */
  items: { [key in ItemList]?: Array<string> | null };
  /** Names of the toggles with the mark of files, by the name of the files, as far as the client has read them. */
  managed?: { [key: string]: Array<string> };
  /** True if toggles that the files managed until now and name no more are archived. Plans contain all their changes. */
  prune?: boolean;
  /** The flag service, which decides what the files may contain; null if the client does not know it. */
  server?: PlannedServer | null;
  /** The tags that the client has read, by the name of the toggle. */
  tags?: { [key: string]: Array<Tag> };
};

/** Response of `POST /-/plans`. */
export type PlanReview = {
  /** Names of existing toggles that the request must contain. If there are any, the rest of the review is empty. */
  missing: Array<string>;
  /** Names of existing toggles whose tags the request must contain. If there are any, the rest of the review is empty. */
  missingTags: Array<string>;
  /** Names of files whose marked toggles the request must contain. If there are any, the rest of the review is empty. */
  missingManaged: Array<string>;
  /** Lists that the request must contain. If there are any, the rest of the review is empty. */
  missingItems: Array<ItemList>;
  /** Problems of the files or of the plan: the flag service would refuse a change. The plan is then null, and there are no changes. */
  problems: Array<FileProblem>;
  /** Parts of the files or of the plan that the flag service accepts, but that are probably mistakes. */
  warnings: Array<FileProblem>;
  /** True if the request contains a plan; false if the plan was made from files. */
  isStored: boolean;
  /** The plan, in the format of `flagdeck plan -o`. */
  plan: unknown;
  /** Name of the flag service for which the plan was made. */
  target: string;
  /** Changes, in the order in which they must be applied. */
  changes: Array<ReviewedChange>;
};

/** The kind of a change. `create`: The toggle is created. `revive`: The archived toggle is revived and changed. `change`: The toggle is changed. `archive`: The toggle is archived, because the files that managed it name it no more. */
export type PlannedAction = "create" | "revive" | "change" | "archive";

/** The facts about a flag service that decide what files may contain. */
export type PlannedServer = {
  /** True for the flag service of Flagdeck. */
  isEmbedded: boolean;
  /** True for servers with projects and environments. */
  hasEnvironments: boolean;
  /** Version; null if the server does not report it. */
  version?: string | null;
};

/** Results of one toggle for all contexts, on one side of a comparison. */
export type PopulationResult = {
  /** Number of contexts with each result. */
  counts: ResultCounts;
  /** Number of contexts with each variant, unless it is random; sorted by name. */
  variants: Array<VariantCount>;
  /** Result of each context, in the order of the request; absent with `detail: "counts"`. */
  contexts?: Array<ContextResult>;
};

/** A project: a group of toggles. Servers may return more fields, which the console does not use. */
export type Project = {
  /** Id, which a toggle's `project` contains. */
  id: string;
  /** Display name. */
  name: string;
  /** Free text. */
  description: string | null;
  /** Creation time: RFC 3339, UTC. */
  createdAt?: string;
};

/** Response of `GET api/admin/projects`. */
export type ProjectsResponse = {
  /** Version of the envelope. */
  version: number;
  /** All projects. */
  projects: Array<Project>;
};

/** Response of `DELETE /-/replica`, and of `DELETE /replica` of the listener for monitoring. */
export type Purged = {
  /** Number of removed copies. */
  copies: number;
  /** See [`ReplicaSummary::fault`]. */
  fault: string | null;
};

/** A selection of toggles: everything that one token receives for one query. */
export type RecordedScope = {
  /** Stable identifier, which contains no credential. */
  id: string;
  /** Projects and environment of the token, such as `*:production`, or its last characters. */
  name: string;
  /** Environment of the token; null if its server has none. */
  environment: string | null;
  /** Query that selects toggles, such as `project=shop`; empty for all. */
  query: string;
  /** True if segments are listed, and false if their constraints are part of the strategies. */
  listsSegments: boolean;
};

/** Response of `GET /-/recorder`: what is recorded. */
export type RecorderStatus = {
  /** Time of the first record; null without records. */
  firstRecord: string | null;
  /** Time of the last record. */
  lastRecord: string | null;
  /** Time since which nothing can be recorded; null if the recorder can write. */
  failingSince: string | null;
  /** The reason why nothing can be recorded. */
  cause: string | null;
  /** Approximate size of all records in bytes. */
  bytes: number;
  /** Number of changes since the start that were not recorded, because later ones arrived before they could be written. */
  missed: number;
  /** Scopes that can be selected. */
  scopes: Array<RecordedScope>;
};

/** Response of `DELETE /-/holds/{toggle}`. */
export type ReleasedHolds = {
  /** Number of released holds. */
  released: number;
  /** See [`HoldList::storage_fault`]. */
  storageFault: string | null;
};

/** Response of `GET /-/replica`: state of the copies that SDKs use. */
export type ReplicaSummary = {
  /** Number of copies in memory, one for each token and query. */
  copies: number;
  /** Number of instances of applications that have requested toggles in the last minutes. */
  instances: number;
  /** True if there are more instances than are counted. */
  hasMoreInstances: boolean;
  /** Time when the flag service has last confirmed the oldest copy; null without copies. */
  confirmedAt: string | null;
  /** Seconds since then. */
  age: number;
  /** Time since which the flag service does not respond; null if it responds. */
  failingSince: string | null;
  /** Why the copies do not survive a restart, as the end of a sentence; null if they do, or if `data` is not set. */
  fault: string | null;
};

/** Contexts whose result differs between `toggles` and `compare`: indexes into `contexts`, ascending. */
export type ResultChange = {
  /** On with the edits, and not before. */
  turnedOn: Array<number>;
  /** Off with the edits, and not before. */
  turnedOff: Array<number>;
  /** Another result that is neither on nor off, or another probability. */
  lessCertain: Array<number>;
  /** The same result with another variant. */
  otherVariant: Array<number>;
};

/** Number of contexts with each result. */
export type ResultCounts = {
  /** Off. */
  off: number;
  /** On. */
  on: number;
  /** Decided by the application. */
  application: number;
  /** On with a probability. */
  random: number;
};

/** A change of a plan, compared with the stored toggle. */
export type ReviewedChange = {
  /** Name of the toggle. */
  name: string;
  /** Kind of the change. */
  action: PlannedAction;
  /** Whether the change can be applied. */
  status: ChangeStatus;
  /** Reason why the planned effect may be another one now: a segment or another toggle has changed. Null if the toggle itself has. */
  outdatedEffect: string | null;
  /** Effect on who gets the feature, together with all other changes of the plan, on the state that the request contains. */
  effect: Effect;
  /** The stored toggle. The state of an archived or new toggle is empty. */
  before: Toggle;
  /** The toggle after the change. A revived toggle keeps the properties that the file does not own. */
  after: Toggle;
  /** Name of the files that manage the toggle after the change: the value of its only tag of the type `managed-by`, which has an
   * endpoint of its own. Null if the plan does not change it. */
  managedBy: string | null;
  /** Body of the request that creates or replaces the toggle; of a revived toggle, the properties that the file owns. */
  body: Toggle;
  /** All tags after the change except the mark of files, which have endpoints of their own; null if the file does not own them. */
  tags: Array<Tag> | null;
  /** True if the toggle itself stays as it is, and only its tags change. */
  hasOnlyTags: boolean;
};

/** Response to the revocation of sessions. */
export type RevokedSessions = {
  /** Number of revoked sessions. */
  revoked: number;
  /** True if the session of the request is among them. */
  includesOwn: boolean;
};

/** Outcome of a strategy without its constraints and segments. */
export type RuleReason = {
  code: "always";
} | {
  code: "listed";
  /** The user. */
  value: string;
} | {
  code: "notListed";
  /** The user. */
  value?: string;
} | {
  code: "inNetwork";
  /** The address. */
  value: string;
} | {
  code: "notInNetwork";
  /** The address. */
  value?: string;
} | {
  code: "bucket";
  /** Context field of the id. */
  field: string;
  /** The id. */
  value: string;
  /** Group, which is hashed with the id. */
  group: string;
  /** Bucket of the id. */
  bucket: number;
  /** Percentage of the strategy. */
  percentage: number;
} | {
  code: "missingField";
  /** Name of the context field. */
  field: string;
  /** Percentage of the strategy. */
  percentage: number;
} | {
  code: "random";
  /** Percentage of the strategy. */
  percentage: number;
} | {
  code: "invalidPercentage";
  /** The parameter. */
  value?: string;
} | {
  code: "application";
};

/** Response of `GET /-/sdk-toggles`: the toggles that SDKs with tokens of an environment get from this program, without its holds. */
export type SdkToggles = {
  /** The environment of the tokens; null if their server has none. */
  environment: string | null;
  /** All environments of tokens, sorted by name. */
  environments: Array<string>;
  /** Toggles as SDKs get them, sorted by name. */
  features: Array<{ [key: string]: unknown }>;
  /** Segments as SDKs get them. */
  segments: Array<{ [key: string]: unknown }>;
};

/** An application in the lists of `GET api/admin/metrics/seen-apps` (by toggle name) and `GET
 * api/admin/metrics/applications`. */
export type SeenApp = {
  /** Name of the application. */
  appName: string;
  /** Time of the first report: RFC 3339, UTC. */
  createdAt: string;
  /** Time of the last report: RFC 3339, UTC. */
  updatedAt: string;
  /** Free text. */
  description: string | null;
  /** Names of the strategies that it implements. */
  strategies: Array<string>;
  /** IP address of the first report. */
  createdBy: string;
  /** URL of the application or its description. Untrusted. */
  url: string | null;
  /** Never set; other servers return it. */
  color: string | null;
  /** Icon name. */
  icon: string | null;
};

/** Requests with which a server reports the applications that use a toggle. `all`: One request for all toggles. `single`: A request for each toggle. `none`: None: the server does not report them. */
export type SeenApps = "all" | "single" | "none";

/** A segment: a named list of constraints that several strategies share. */
export type Segment = {
  /** Id, which a strategy's `segments` contain. */
  id: number;
  /** Display name. */
  name: string;
  /** Free text. */
  description: string | null;
  /** Constraints, which must all match. */
  constraints: Array<Constraint>;
  /** Author. */
  createdBy: string | null;
  /** Creation time: RFC 3339, UTC. */
  createdAt: string;
};

/** The editable properties of a segment. */
export type SegmentDraft = {
  /** Display name, which no other segment has. */
  name: string;
  /** Free text. */
  description: string | null;
  /** Constraints, which must all match. */
  constraints: Array<Constraint>;
};

/** Outcome of a segment. */
export type SegmentReason = {
  /** Id of the segment. */
  id: string;
  /** True if the segment does not exist. The strategy is then off. */
  missing: boolean;
  /** True if all constraints match. */
  matches: boolean;
  /** Outcome of every constraint. */
  constraints: Array<ConstraintReason>;
  /** Name of the segment. */
  name?: string;
};

/** A strategy that uses a segment. */
export type SegmentUse = {
  /** Id of the strategy; empty if it has none. */
  id: string;
  /** Name of the strategy definition. */
  strategyName: string;
  /** Name of the toggle. */
  featureName: string;
  /** Project of the toggle. */
  projectId: string;
  /** Environment of the strategy. Without environments, it is `default`. */
  environment: string;
};

/** Response of `GET api/admin/segments/{id}/strategies`. */
export type SegmentUsesResponse = {
  /** Strategies of toggles that are not archived, sorted by the name of the toggle. */
  strategies: Array<SegmentUse>;
};

/** Response of `GET api/admin/segments`. */
export type SegmentsResponse = {
  /** All segments, sorted by id. */
  segments: Array<ListedSegment>;
};

/** An environment of a flag service, with its own state of each toggle. */
export type ServerEnvironment = {
  /** The name. */
  name: string;
  /** Type, such as `development` or `production`. */
  type: string;
};

/** How a person signed in. `password`: With a password. `provider`: At the identity provider. */
export type SessionMethod = "password" | "provider";

/** Response of `GET api/admin/sessions`. */
export type SessionsResponse = {
  /** Sessions, the most recently used first. */
  sessions: Array<UserSession>;
  /** False if there are more sessions than the response may contain. */
  isComplete: boolean;
};

/** Response of `GET /-/settings`. */
export type Settings = {
  /** Backend of the API. */
  mode: Mode;
  /** Host and port of the upstream flag service; null for the embedded one. */
  upstream: string | null;
  /** Path with which addresses in responses of the API begin: the path of the upstream's URL, such as `/unleash`, or the base
   * path of this program if users sign in here. */
  mountPath: string;
  /** Version of Flagdeck. */
  version: string;
  /** True if users can sign out. */
  signOut: boolean;
  /** True if all changes are refused, whatever permissions the user has. */
  readOnly: boolean;
  /** True if switching a toggle, or turning it on for more users, requires confirmation. */
  confirmWrites: boolean;
  /** Additional origins from which images of users are loaded. */
  imageOrigins: Array<string>;
  /** Name of this deployment; null if the operator has not set one. */
  environment: string | null;
  /** Capabilities of the flag service; null while they are not known, because it does not respond, or the user has to sign
   * in. Servers without a known version have the capabilities of Unleash 3.17. */
  capabilities: Capabilities | null;
  /** The upstream, if it is a server with environments (Unleash 5 to 8.2); null for others, for the embedded
   * service, and if the user cannot read its environments, for example before signing in. */
  server: NewerServer | null;
  /** True if SDKs get toggles from the replica of this program. */
  replica: boolean;
  /** True if this program itself serves the browser API, with its own frontend tokens; false if it forwards the API. */
  servesBrowsers: boolean;
  /** True if this program serves OpenFeature clients. */
  servesOpenFeature: boolean;
  /** True if the console can show the operators' journal. */
  journal: boolean;
  /** True if administrators can see and revoke sessions: users sign in at this program with proof of their identity. */
  sessions: boolean;
  /** True if toggles can be held: SDKs get them from this program. */
  holds: boolean;
  /** True if the console can show earlier states, which the flight recorder keeps. */
  recorder: boolean;
  /** True if only administrators of the flag service may see earlier states: the records contain the toggles of all projects. */
  recorderNeedsAdmin: boolean;
  /** Database that several instances of this program share; null for a database of this instance alone. */
  sharedDatabase: SharedDatabase | null;
  /** File that the toggles come from; null if a flag service stores them. */
  definitions: DefinitionsFile | null;
};

/** A database that several instances of this program share, and the instance that responds. */
export type SharedDatabase = {
  /** Name of the database engine. */
  engine: string;
  /** Random id of the instance, which its log contains at the start. */
  instance: string;
};

/** Effect of an edit of a context field on its sort order. `stored`: The new sort order is stored. `ignored`: The field keeps its sort order. `reset`: The sort order becomes 0. */
export type SortOrderInEdit = "stored" | "ignored" | "reset";

/** Response of `GET api/admin/strategies`. */
export type StrategiesResponse = {
  /** Version of the envelope. */
  version: number;
  /** Strategy definitions, sorted by name. */
  strategies: Array<StrategyDefinition>;
};

/** An activation strategy of a toggle. */
export type Strategy = {
  /** Name of a strategy definition, which may not exist on this server. */
  name: string;
  /** Constraints, which must all match. */
  constraints?: Array<Constraint> | null;
  /** If true, the strategy is ignored. */
  disabled?: boolean | null;
  /** Id, on servers that number strategies. */
  id?: string;
  /** Values of the definition's parameters. All values are strings, also numbers and lists. */
  parameters?: { [key: string]: string };
  /** Ids of segments, whose constraints must all match. */
  segments?: Array<number> | null;
  /** Display name. */
  title?: string | null;
  /** Variants that replace the variants of the toggle if this strategy matches. */
  variants?: Array<Variant> | null;
};

/** A strategy that clients implement and toggles use. */
export type StrategyDefinition = {
  /** Name, which a toggle's strategy refers to. */
  name: string;
  /** False if it is built in. */
  editable: boolean;
  /** Description of the users it selects. */
  description: string | null;
  /** Parameters to set in each toggle. */
  parameters: Array<ParameterDefinition>;
  /** True if it is not offered for new use. Older servers omit it. */
  deprecated?: boolean;
  /** Display name, on servers that have one. */
  displayName?: string | null;
};

/** An item that an application named, which may not exist on this server. */
export type StrategyDefinitionOrMissing = StrategyDefinition | MissingItem;

/** Outcome of a strategy. */
export type StrategyReason = {
  /** Name of the strategy. */
  name: string;
  /** Result with constraints and segments. */
  result: EvaluationResult;
  /** True if the strategy is disabled and therefore ignored. */
  disabled: boolean;
  /** Outcome of the strategy itself. */
  rule: RuleReason;
  /** Outcome of every constraint, in the order of the strategy. */
  constraints: Array<ConstraintReason>;
  /** Outcome of every segment, in the order of the strategy. */
  segments: Array<SegmentReason>;
  /** Probability, if the result is random. */
  probability?: number;
};

/** A tag: a label with a type. */
export type Tag = {
  /** Name of a tag type. */
  type: string;
  /** Free text. */
  value: string;
};

/** A tag type. */
export type TagType = {
  /** 2 to 50 characters that need no escaping in a URL. */
  name: string;
  /** Free text. */
  description: string | null;
  /** Icon shown before tags of this type. */
  icon: string | null;
};

/** Response of `GET api/admin/tag-types/{name}`. */
export type TagTypeResponse = {
  /** Version of the envelope. */
  version: number;
  /** The requested tag type. */
  tagType: TagType;
};

/** Response of `GET api/admin/tag-types`. */
export type TagTypesResponse = {
  /** Version of the envelope. */
  version: number;
  /** Tag types, sorted by name. */
  tagTypes: Array<TagType>;
};

/** Response of `GET api/admin/tags` and `GET api/admin/features/{name}/tags`. */
export type TagsResponse = {
  /** Version of the envelope. */
  version: number;
  /** Tags sorted by type and value. */
  tags: Array<Tag>;
};

/** A feature toggle. Its tags have their own endpoint. */
export type Toggle = {
  /** Unique name, also among archived toggles: 2 to 100 characters that need no escaping in a URL. */
  name: string;
  /** Free text. */
  description: string | null;
  /** Id of a toggle type. */
  type: string;
  /** Id of its project. */
  project: string;
  /** If false, the toggle is off for all users. */
  enabled: boolean;
  /** True if the toggle is no longer needed and should be removed from the code. */
  stale: boolean;
  /** Strategies. The feature is on if any of them matches. */
  strategies: Array<Strategy>;
  /** Variants. 4.x servers return null for none. */
  variants: Array<Variant> | null;
  /** Creation time: RFC 3339, UTC. */
  createdAt: string;
  /** Time of the last report of an application: RFC 3339, UTC; null if there is none. */
  lastSeenAt: string | null;
  /** Conditions on other toggles, which must all hold. */
  dependencies?: Array<Dependency> | null;
  /** Whether applications report each evaluation as an event. */
  impressionData?: boolean | null;
};

/** Body for creating or replacing a toggle. Missing properties get their default. */
export type ToggleDraft = {
  /** Name, as in `Toggle`. An update cannot change it. */
  name: string;
  /** Default: `release`. */
  type?: string;
  /** Default: false. */
  enabled?: boolean;
  /** Default: false. */
  stale?: boolean;
  /** Default: `default`. */
  project?: string;
  /** At least one strategy. */
  strategies: Array<Strategy>;
  /** Default: none. */
  variants?: Array<Variant> | null;
  /** Conditions on other toggles, which must all hold. */
  dependencies?: Array<Dependency> | null;
  /** Free text. */
  description?: string | null;
  /** Whether applications report each evaluation as an event. */
  impressionData?: boolean | null;
};

/** Response of `GET api/admin/events/{toggleName}`. */
export type ToggleEventsResponse = {
  /** Name of the requested toggle. */
  toggleName: string;
  /** Events, newest first. At most 100, and at most 5 MiB of JSON. */
  events: Array<Event>;
  /** The value of `before` that lists the events that follow, which are older. Absent if there are none. */
  nextBefore?: number;
};

/** Response of `GET api/admin/metrics/feature-toggles`: counts by toggle name. Toggles without reports have no entry. */
export type ToggleMetrics = {
  /** Counts of the last 60 minutes. */
  lastHour: { [key: string]: Counts };
  /** Counts of the last 60 seconds. */
  lastMinute: { [key: string]: Counts };
};

/** An item that an application named, which may not exist on this server. */
export type ToggleOrMissing = Toggle | MissingItem;

/** Results of one toggle for all contexts. */
export type ToggleResult = {
  /** Name of the toggle. */
  name: string;
  /** Results with `toggles`. */
  saved: PopulationResult;
  /** Differences between both. */
  change?: ResultChange;
  /** Results with the edited toggles of `compare`. */
  edited?: PopulationResult;
};

/** The kind of a token, which decides the APIs that accept it. `client`: Secret of a server: reads the definitions of all toggles. `frontend`: Public token of browsers and phones: gets results only, never definitions. */
export type TokenKind = "client" | "frontend";

/** Name, version and appearance of a server. Servers return the fields that they know. */
export type UiConfig = {
  /** Name of the installation, such as `production`. */
  environment?: string;
  /** Background colour of the console's header. */
  headerBackground?: string;
  /** Links for the console to show. */
  links?: Array<Link>;
  /** Name of the product. */
  name?: string;
  /** A line below the name. */
  slogan?: string;
  /** Version of the server. */
  version?: string;
  /** Current and latest version. */
  versionInfo?: VersionInfo;
};

/** Response of `GET api/admin/client-metrics/features/{name}/raw`, in the format of newer Unleash servers, and of
 * `…/minutes`. Periods without reports have no entry. */
export type UsageHistory = {
  /** Version of the format. */
  version: number;
  /** Always `stable`. */
  maturity: string;
  /** Counts by period and application, oldest first. */
  data: Array<PeriodCounts>;
};

/** The signed-in user. Servers return the fields that they know. */
export type User = {
  /** Email address, under which changes are recorded. */
  email?: string | null;
  /** Groups of the identity provider that grant permissions. Missing if the user did not sign in there. */
  grants?: Array<PermissionGrant> | null;
  /** URL of the avatar, often on another host. */
  imageUrl?: string | null;
  /** True if the user administers this program, although the permissions, which are those at the upstream, do not include `ADMIN`. */
  isAdministrator?: boolean | null;
  /** Display name. */
  name?: string | null;
  /** Permissions. If the list is missing, the user has all permissions. */
  permissions?: Array<Permission> | null;
  /** User name. Changes are recorded under it if there is no email. */
  username?: string | null;
};

/** Response of `GET api/admin/user`, in the formats of 3.x and 4.x servers. */
export type UserResponse = {
  /** The user without permissions. */
  user: User;
  /** Permissions of the user. */
  permissions?: Array<Permission> | null;
} | User;

/** Session of a signed-in user. Times are in RFC 3339, UTC. */
export type UserSession = {
  /** Id, with which the session can be revoked. It does not authenticate. */
  id: string;
  /** Display name of the person. */
  name: string;
  /** Email address of the person; null if there is none, or if it is the display name. */
  email: string | null;
  /** User name of the person's account; null for persons whom only the identity provider knows. */
  username: string | null;
  /** Identity provider; null after a sign-in with a password. */
  issuer: string | null;
  /** Id of the person at the identity provider; null after a sign-in with a password. */
  subject: string | null;
  /** How the person signed in. */
  method: SessionMethod;
  /** Address of the browser at the sign-in; null if it is not known. */
  address: string | null;
  /** Name of the browser, such as `Firefox on Linux`; null if it is not known. */
  client: string | null;
  /** Time of the sign-in. */
  createdAt: string;
  /** Time of the last use, accurate to two minutes. */
  lastUsedAt: string;
  /** Time when the session ends unless it is used. */
  expiresAt: string;
  /** True for the session of the request. */
  isOwn: boolean;
};

/** Response of `GET api/admin/users`. */
export type UsersResponse = {
  /** Users, sorted by name. */
  users: Array<Account>;
};

/** A variant of a toggle. */
export type Variant = {
  /** Unique name within the toggle, at least 2 characters. */
  name: string;
  /** Share of the traffic in tenths of a percent: 0 to 1000. */
  weight: number;
  /** Whether the weight is fixed or computed. */
  weightType: WeightType;
  /** Context values that always get this variant. */
  overrides?: Array<Override>;
  /** Data for the application. */
  payload?: Payload;
  /** Context field that keeps a user on the same variant. Older servers omit it. */
  stickiness?: string;
};

/** Number of contexts with a variant. */
export type VariantCount = {
  /** Name of the variant. */
  name: string;
  /** Number of contexts. */
  count: number;
};

/** Selection of a variant. */
export type VariantReason = {
  /** True if the deciding strategy has the variants, false if the toggle has them. */
  ofStrategy: boolean;
  /** False if the application can select another variant, because an earlier strategy with other variants is random or
   * decided by the application. */
  certain: boolean;
  /** The selection. */
  selection: VariantSelection;
};

/** Mechanism that selects a variant. */
export type VariantSelection = {
  code: "override";
  /** Context field. */
  field: string;
  /** Its value. */
  value: string;
} | {
  code: "none";
} | {
  code: "single";
} | {
  code: "bucket";
  /** Context field of the id. */
  field: string;
  /** The id. */
  value: string;
  /** Group, which is hashed with the id. */
  group: string;
  /** Bucket of the id: 1 to the sum of the weights. */
  bucket: number;
  /** Sum of the weights. */
  buckets: number;
} | {
  code: "random";
  /** Probability of each variant. */
  shares: Array<VariantShare>;
};

/** Probability of a variant. */
export type VariantShare = {
  /** Name of the variant. */
  name: string;
  /** Its probability, between 0 and 1. */
  probability: number;
};

/** The current and the latest version. */
export type VersionInfo = {
  /** Current version. */
  current: Versions;
  /** Latest version; empty if the server does not check for updates. */
  latest: Versions;
  /** UUID of the installation. */
  instanceId?: string;
  /** True if the current version is the latest. Missing if the server does not check for updates. */
  isLatest?: boolean;
};

/** Version numbers by edition. */
export type Versions = {
  /** Enterprise edition; empty on open-source servers. */
  enterprise?: string;
  /** Open-source edition. */
  oss?: string;
};

/** How the weight of a variant is determined. `fix`: Fixed by the user. `variable`: An equal share of the weight that the fixed variants leave. */
export type WeightType = "fix" | "variable";
