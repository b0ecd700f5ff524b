// Sign-in by OpenID Connect in front of a real 3.17.6 (`upstream-sign-in`); of newer versions: reach/sign-in.spec.ts.

import { expectPersonInHistory, expectPersonInJournal, expectRevocation, test } from './support/personAtUpstream';

test.describe('in front of a real server', { tag: ['@upstream', '@email-sign-in'] }, () => {
  test('the history of the flag service names the person who signed in, and administrators revoke sessions', async ({
    page,
    installation,
  }) => {
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
