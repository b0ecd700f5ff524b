// Links from events to their items. An item may have been deleted or archived since.
import { useMemo } from 'react';
import {
  addons,
  apiTokens,
  applications,
  archivedFeatures,
  context,
  strategies,
  tags,
  tagTypes,
} from '@/api/endpoints';
import type { Event } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { useProjects } from '@/api/reads';
import { useSettings } from '@/api/settings';
import { useToggleList } from '@/api/toggles';
import { type EventSubjectKind, getEventSubject, getToggleAction } from '@/domain/events/eventType';
import { paths } from '@/paths';

export function useSubjectHref(events: readonly Event[] = NO_EVENTS): (event: Event) => string | undefined {
  const kinds = useMemo(() => new Set(events.map((event) => getEventSubject(event)?.kind)), [events]);
  const has = (kind: EventSubjectKind) => kinds.has(kind);
  const live = useNames(useToggleList(has('toggle')).data?.features);
  const archived = useNames(useRead(has('toggle') ? archivedFeatures : null).data?.features);
  const definitions = useNames(useRead(has('strategy') ? strategies : null, OPTIONAL).data?.strategies);
  const fields = useNames(useRead(has('context field') ? context : null, OPTIONAL).data);
  const types = useNames(useRead(has('tag type') ? tagTypes : null).data?.tagTypes);
  const apps = useRead(has('application') ? applications : null).data?.applications ?? [];
  const configured = useRead(has('addon') ? addons : null).data?.addons ?? [];
  const stored = useRead(has('tag') ? tags : null).data?.tags ?? [];
  const projects = useProjects();
  const isEmbedded = useSettings()?.mode === 'embedded';
  const tokens = useNames(useRead(has('API token') && isEmbedded ? apiTokens : null, OPTIONAL).data?.tokens);
  const find: { [kind in EventSubjectKind]: (name: string, event: Event) => string | false | undefined } = {
    toggle: (name, event) => {
      // The log does not contain tag events.
      if (getToggleAction(event)?.endsWith('tagged')) return live.has(name) && paths.toggle(name);
      return (live.has(name) || archived.has(name)) && paths.loggedEvent(name, event.id);
    },
    strategy: (name) => definitions.has(name) && paths.strategy(name),
    'context field': (name) => fields.has(name) && paths.editContextField(name),
    'tag type': (name) => types.has(name) && paths.editTagType(name),
    tag: (name) => stored.some(({ type, value }) => `${type}: ${value}` === name) && paths.tags(),
    project: (name) => projects.some(({ id }) => id === name) && paths.editProject(name),
    application: (name) => apps.some(({ appName }) => appName === name) && paths.application(name),
    'API token': (name) => tokens.has(name) && paths.apiTokens(),
    addon: (name) => configured.some(({ id }) => String(id) === name) && paths.editAddon(Number(name)),
  };
  return (event) => {
    const subject = getEventSubject(event);
    return (subject && find[subject.kind](subject.name, event)) || undefined;
  };
}

const NO_EVENTS: readonly Event[] = [];
/** If these lists fail to load, events only have no links. */
const OPTIONAL = { handlesFailure: true };

function useNames(list: readonly { name: string }[] | undefined): ReadonlySet<string> {
  return useMemo(() => new Set(list?.map(({ name }) => name)), [list]);
}
