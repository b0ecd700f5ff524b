// The applications that reported, and what can be done to them.
import { useMemo } from 'react';
import {
  type ApplicationMetadata,
  application,
  applications,
  deleteApplication,
  describeApplication,
} from '@/api/endpoints';
import { ApiError } from '@/api/error';
import type { Application } from '@/api/generated/types';
import { patch, useRead, useWrite } from '@/api/hooks';
import { pushInfo } from '@/api/notices';

const collator = new Intl.Collator('en');

/** In name order. */
export function useApplications() {
  const { data, error, reload } = useRead(applications);
  const sorted = useMemo(() => data?.applications.toSorted((a, b) => collator.compare(a.appName, b.appName)), [data]);
  return { applications: sorted, error, reload };
}

type ApplicationLookup =
  | { state: 'found'; application: Application }
  | { state: 'loading' }
  | { state: 'failed'; error: Error; reload: () => void }
  | { state: 'missing' };

/** `keeps`: an application that is deleted while its form is open stays, so that the form keeps what was typed. */
export function useApplication(name: string, keeps: boolean): ApplicationLookup {
  const { data, error, reload } = useRead(application(name));
  if (error?.status === 404 && !(keeps && data)) return { state: 'missing' };
  if (data) return { state: 'found', application: data };
  return error ? { state: 'failed', error, reload } : { state: 'loading' };
}

/** All throw: the form or dialog that asked shows why. */
export function useApplicationWrites(name: string) {
  const { send, fetchFresh } = useWrite();
  return {
    /** As it is stored now; undefined where it is gone. */
    find(): Promise<Application | undefined> {
      return fetchFresh(application(name), { inline: true }).catch((failure: unknown) => {
        if (failure instanceof ApiError && failure.status === 404) return undefined;
        throw failure;
      });
    },
    /** Each text is a call of its own: those before one that fails are stored. */
    async describe(texts: readonly ApplicationMetadata[]): Promise<void> {
      for (const text of texts) {
        await send(describeApplication(name), {
          body: text,
          patches: () => [patch(application(name), (stored) => ({ ...stored, ...text }))],
          refreshes: [applications],
          inline: true,
        });
      }
      pushInfo(`${name} saved.`);
    },
    async remove(): Promise<void> {
      await send(deleteApplication(name), {
        patches: () => [
          patch(applications, (answer) => ({
            ...answer,
            applications: answer.applications.filter(({ appName }) => appName !== name),
          })),
        ],
        refreshes: [applications],
        inline: true,
      });
      pushInfo(`${name} removed.`);
    },
  };
}
