// Converts responses of a server with environments into the format of the reference version, without the properties that
// only newer servers have.

import type { Addon, ContextField, SeenApp, TagType } from '../../src/api/generated/types';

/** Reads a path of the server's own API. */
type Read = <Body>(path: string) => Promise<Body>;

type NewerTagType = TagType & { color?: unknown };
type NewerAddon = Addon & { projects?: string[]; environments?: string[]; createdAt?: string };
type NewerField = Omit<ContextField, 'legalValues'> & { legalValues?: { value: string }[] };

/** Responds to a read of the old API. */
export async function toOldResponse(read: Read, path: string): Promise<unknown> {
  switch (path) {
    case 'admin/archive/features':
      return readArchive(read);
    case 'admin/context':
      return (await read<NewerField[]>(path)).map(toOldField);
    case 'admin/tag-types': {
      const { tagTypes } = await read<{ tagTypes: NewerTagType[] }>(path);
      return { tagTypes: tagTypes.map(({ color: _, ...type }) => type) };
    }
    case 'admin/addons': {
      const { addons, providers } = await read<{ addons: NewerAddon[]; providers: unknown }>(path);
      return { addons: addons.map(toOldAddon), providers };
    }
    case 'admin/metrics/seen-apps':
      return readSeenApps(read);
    default:
      return read(path);
  }
}

/** 8.2 has only the search, which 5.12 does not limit to archived toggles. */
function readArchive(read: Read): Promise<unknown> {
  return read('admin/archive/features').catch(() => read('admin/search/features?archived=IS:true'));
}

function toOldField({ legalValues = [], ...field }: NewerField): ContextField {
  return { ...field, ...(legalValues.length > 0 && { legalValues: legalValues.map(({ value }) => value) }) };
}

function toOldAddon({ projects = [], environments = [], createdAt: _, ...addon }: NewerAddon): NewerAddon {
  return { ...addon, ...(projects.length > 0 && { projects }), ...(environments.length > 0 && { environments }) };
}

/** Newer servers have no list of the applications of all toggles. */
async function readSeenApps(read: Read): Promise<{ [toggle: string]: Pick<SeenApp, 'appName'>[] }> {
  const { features } = await read<{ features: { name: string }[] }>('admin/projects/default/features');
  const ofToggle = async (name: string) => {
    const { seenApplications } = await read<{ seenApplications: string[] }>(
      `admin/client-metrics/features/${encodeURIComponent(name)}`,
    );
    return [name, seenApplications.map((appName) => ({ appName }))] as const;
  };
  return Object.fromEntries(await Promise.all(features.map(({ name }) => ofToggle(name))));
}
