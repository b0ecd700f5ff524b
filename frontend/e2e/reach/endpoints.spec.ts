// Sends each kind of call of the old API to the server and through Flagdeck, and records the difference for the table of
// `make reach`.

import { canLimitEnvironment } from '../support/binary';
import { type Api, expect, requireServer, test } from './api';
import { ENDPOINTS, UNSUPPORTED } from './endpoints';

for (const [kind, check] of Object.entries(ENDPOINTS)) {
  test(`endpoint kind: ${kind}`, async ({ server, console, realServer }, testInfo) => {
    const { clientTokens, accounts, session } = requireServer(realServer);
    const clientToken = clientTokens?.['development'] ?? '';
    const account = accounts?.colleague ?? { user: '', password: '' };
    const colleague = { ...account, session: () => session('colleague') };
    const problem = (api: Api, name: string) =>
      check({ api, server, name, clientToken, colleague }).then(
        () => undefined,
        (error: Error) => error.message,
      );
    const direct = await problem(server, 'direct');
    const through = await problem(console, 'through');
    const supported = direct === undefined ? 'works' : 'adapted';
    const outcome = through === undefined ? supported : 'unsupported';
    testInfo.annotations.push({ type: 'endpoint', description: `${kind}: ${outcome}` });
    // Older binaries forward all calls unchanged; only the table shows that.
    if (!canLimitEnvironment()) return;
    expect(outcome === 'unsupported', through).toBe(kind in UNSUPPORTED);
  });
}
