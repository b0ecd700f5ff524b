// Renders the complete console against a fake server, without a browser.
import { render } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { vi } from 'vitest';
import type { Settings, Toggle, UserResponse } from '@/api/generated/types';
import { AppRoutes } from '@/layout/AppRoutes';
import { IconDefaults } from '@/ui/icons';
import type { FakeServer } from './fakeServer';
import { settle } from './page';

export { createToggle } from './createToggle';

export const SETTINGS: Settings = {
  mode: 'embedded',
  upstream: null,
  mountPath: '',
  version: '0.1.0',
  signOut: true,
  readOnly: false,
  confirmWrites: false,
  imageOrigins: [],
  environment: null,
  server: null,
  replica: false,
  servesResults: false,
  sharedDatabase: null,
};

const USER: UserResponse = { username: 'operator', permissions: ['ADMIN'] };

/** Declares the responses of an embedded flag service without items, except these toggles. */
export function serveConsole(server: FakeServer, toggles: readonly Toggle[] = []): void {
  const responses: Record<string, unknown> = {
    '-/settings': SETTINGS,
    'api/admin/user': USER,
    'api/admin/ui-config': { name: 'Flagdeck', version: '3.17.6' },
    'api/admin/features': { version: 1, features: toggles },
    'api/admin/feature-types': { version: 1, types: [] },
    'api/admin/strategies': { version: 1, strategies: [] },
    'api/admin/projects': { version: 1, projects: [] },
    'api/admin/context': [],
    'api/admin/tag-types': { version: 1, tagTypes: [] },
    'api/admin/tags': { version: 1, tags: [] },
    'api/admin/segments': { segments: [] },
    'api/admin/archive/features': { version: 1, features: [] },
    'api/admin/metrics/applications': { applications: [] },
    'api/admin/metrics/feature-toggles': { lastHour: {}, lastMinute: {} },
    'api/admin/metrics/seen-apps': {},
  };
  for (const [path, body] of Object.entries(responses)) server.on(`GET ${path}`, { body });
  for (const toggle of toggles) {
    const path = `api/admin/features/${encodeURIComponent(toggle.name)}`;
    server.on(`GET ${path}`, { body: toggle });
    server.on(`GET ${path}/tags`, { body: { version: 1, tags: [] } });
    server.on(`GET api/admin/events/${encodeURIComponent(toggle.name)}`, {
      body: { toggleName: toggle.name, events: [] },
    });
  }
}

/** Renders the page of a path, such as `/features`, and waits for its code and the first responses. */
export async function renderConsole(path: string) {
  const rendered = render(
    <IconDefaults>
      <MemoryRouter initialEntries={[path]}>
        <AppRoutes />
      </MemoryRouter>
    </IconDefaults>,
  );
  // Lazy pages import further modules.
  for (let level = 0; level < 3; level += 1) {
    await settle();
    await vi.dynamicImportSettled();
  }
  await settle();
  return rendered;
}
