// Sends each kind of call of the old API to the server and through Flagdeck, and records the difference for the table of
// `make reach`.

import { type Api, expect, requireServer, test } from './api';
import { ENDPOINTS, isUnsupported } from './endpoints';

/** Kinds of calls that the default run sends to the newest server. */
const SMOKE = ['list', 'toggle', 'create', 'switch', 'strategies', 'archive'];

for (const [kind, check] of Object.entries(ENDPOINTS)) {
  test(
    `endpoint kind: ${kind}`,
    { tag: SMOKE.includes(kind) ? '@smoke' : [] },
    async ({ server, console, realServer }, testInfo) => {
      const { clientToken, accounts, session } = requireServer(realServer);
      const account = accounts?.colleague ?? { user: '', password: '' };
      const colleague = { ...account, session: () => session('colleague') };
      const problem = (api: Api, name: string) =>
        check({ api, server, name, clientToken: clientToken ?? '', colleague }).then(
          () => undefined,
          (error: Error) => error.message,
        );
      const direct = await problem(server, 'direct');
      const through = await problem(console, 'through');
      const supported = direct === undefined ? 'works' : 'adapted';
      const outcome = through === undefined ? supported : 'unsupported';
      testInfo.annotations.push({ type: 'endpoint', description: `${kind}: ${outcome}` });
      expect(outcome === 'unsupported', through).toBe(isUnsupported(kind));
    },
  );
}
