// Registers applications with the flag service like a client SDK.

import { expect } from '@playwright/test';
import type { Application } from '../../src/api/generated/types';
import type { Flags } from './flags';

export { application } from '../../src/testing/responses';

interface Registration {
  instanceId?: string;
  sdkVersion?: string;
  strategies?: string[];
  /** The toggles that it requested. */
  toggles?: string[];
}

/** Registers an application and resolves when the service has stored its registration and its metrics. */
export async function reportApplication(flags: Flags, appName: string, registration: Registration = {}): Promise<void> {
  const {
    instanceId = `${appName}-1`,
    sdkVersion = 'unleash-client-node:3.18.1',
    strategies = ['default'],
  } = registration;
  const toggles = registration.toggles ?? [];
  const stop = new Date();
  const started = new Date(stop.getTime() - 10_000);
  if (toggles.length > 0) {
    const counts = Object.fromEntries(toggles.map((name) => [name, { yes: 1, no: 0 }]));
    await flags.post('client/metrics', { appName, instanceId, bucket: { start: started, stop, toggles: counts } });
  }
  // The registration comes last: in 3.x, metrics of an instance erase its version.
  await flags.post('client/register', { appName, instanceId, sdkVersion, strategies, started, interval: 10_000 });
  await expect
    .poll(async () => {
      const stored = await applicationOf(flags, appName);
      const versions = stored?.instances.map((one) => one.sdkVersion);
      return { versions, toggles: stored?.seenToggles.map(({ name }) => name).sort() };
    })
    .toEqual({ versions: expect.arrayContaining([sdkVersion]), toggles: [...toggles].sort() });
}

/** Returns the stored application, or undefined. */
export async function applicationOf(flags: Flags, appName: string): Promise<Application | undefined> {
  const { applications } = await flags.get<{ applications: { appName: string }[] }>('admin/metrics/applications');
  if (!applications.some((application) => application.appName === appName)) return undefined;
  return flags.get(`admin/metrics/applications/${encodeURIComponent(appName)}`);
}
