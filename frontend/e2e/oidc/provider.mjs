// An OpenID Connect provider for the browser tests. Arguments: the base path of the console. It prints its issuer and the origin
// at which the console must be served, and reads the groups of all users from lines of standard input.

import http from 'node:http';
import process from 'node:process';
import { createInterface } from 'node:readline';
import Provider from 'oidc-provider';
import { freePort } from '../upstream/freePort.mjs';

const [basePath] = process.argv.slice(2);
const origin = `http://127.0.0.1:${await freePort()}`;
const console_ = `${origin}${basePath}`;
const server = http.createServer();
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
const issuer = `http://127.0.0.1:${server.address().port}`;
let groups = ['staff'];

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'flagdeck',
      client_secret: 'secret',
      redirect_uris: [`${console_}-/oidc/callback`],
      post_logout_redirect_uris: [console_],
    },
  ],
  cookies: { keys: ['test'] },
  claims: { openid: ['sub', 'groups'], profile: ['name'], email: ['email', 'email_verified'] },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, name: `${id} Example`, email: `${id}@example.com`, email_verified: true, groups }),
  }),
  // Users are not asked for their consent.
  async loadExistingGrant(context) {
    const { client, session } = context.oidc;
    const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
    grant.addOIDCScope('openid profile email');
    await grant.save();
    return grant;
  },
});
server.on('request', provider.callback());

createInterface({ input: process.stdin }).on('line', (line) => {
  groups = line.split(' ').filter(Boolean);
  process.stdout.write(`${JSON.stringify({ groups })}\n`);
});
process.stdout.write(`${JSON.stringify({ issuer, origin })}\n`);
