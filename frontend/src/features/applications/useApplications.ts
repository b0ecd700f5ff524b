// Reads and writes of applications.

import { useMemo } from 'react';
import {
  type ApplicationMetadata,
  application,
  applications,
  deleteApplication,
  describeApplication,
} from '@/api/endpoints';
import { ApiError, isNotFound } from '@/api/error';
import type { Application } from '@/api/generated/types';
import { patch, useRead } from '@/api/useRead';
import { useWrite } from '@/api/useWrite';
import { pushInfo } from '@/api/notices';
import { compareNames } from '@/lib/compareNames';
import type { ItemRead } from '@/ui/ItemLoader';

/** All applications, sorted by name. */
export function useApplications() {
  const { data, error, reload } = useRead(applications);
  const sorted = useMemo(() => data?.applications.toSorted((a, b) => compareNames(a.appName, b.appName)), [data]);
  return { applications: sorted, error, reload };
}

/** Reads an application. */
export function useApplication(name: string): ItemRead<Application> {
  const { data, error, reload } = useRead(application(name));
  const isMissing = error !== undefined && isNotFound(error);
  return { item: isMissing ? undefined : data, isLoaded: isMissing, error, reload };
}

/** All functions throw on failure: the form or dialog shows the error. */
export function useApplicationWrites(name: string) {
  const { send, fetchFresh } = useWrite();
  return {
    /** Reads the stored application; undefined if it was deleted. */
    find(): Promise<Application | undefined> {
      return fetchFresh(application(name), { inline: true }).catch((failure: unknown) => {
        if (failure instanceof ApiError && isNotFound(failure)) return undefined;
        throw failure;
      });
    },
    /** Sends one request per value. Values before a failed one are stored. */
    async describe(changes: readonly ApplicationMetadata[]): Promise<void> {
      for (const change of changes) {
        await send(describeApplication(name), {
          body: change,
          patches: () => [patch(application(name), (stored) => ({ ...stored, ...change }))],
          refreshes: [applications],
          inline: true,
        });
      }
      pushInfo(`${name} saved.`);
    },
    async remove(): Promise<void> {
      await send(deleteApplication(name), {
        patches: () => [
          patch(applications, (data) => ({
            ...data,
            applications: data.applications.filter(({ appName }) => appName !== name),
          })),
        ],
        refreshes: [applications],
        inline: true,
      });
      pushInfo(`${name} removed.`);
    },
  };
}
