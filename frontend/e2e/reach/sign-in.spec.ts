// Sign-in by OpenID Connect in front of a newer server with its demo sign-in (`upstream-sign-in`); of 3.17.6:
// ../oidc-upstream.spec.ts.

import { expectPersonInHistory, expectPersonInJournal, expectRevocation, test } from '../support/personAtUpstream';

test.use({ hasDemoSignIn: true });

test.describe('in front of a newer server', () => {
  test('the history of the flag service names the person who signed in, and administrators revoke sessions', {
    tag: '@smoke',
  }, async ({ page, installation }) => {
    test.slow();
    await expectPersonInHistory(page, installation);
    await expectRevocation(page, installation);
  });

  test.describe('with one account for all', () => {
    test.use({ isShared: true });

    test('the history names the account, and the journal the person', async ({ page, installation }) => {
      test.slow();
      await expectPersonInJournal(page, installation);
    });
  });
});
