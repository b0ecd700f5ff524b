// The words of a line of the journal.

import type { JournalEnd, JournalLine, Person, PersonSource } from '@/api/generated/types';
import { capitalise } from '@/lib/text';

/** What happened, in words. */
export function describeLine({ kind, change, lost, removedBytes }: JournalLine): string {
  switch (kind) {
    case 'sign-in':
      return 'Sign-in';
    case 'sign-out':
      return 'Sign-out';
    case 'start':
      return removedBytes === undefined
        ? 'The journal was opened'
        : 'The journal was opened after a crash; an incomplete entry was removed';
    case 'gap':
      return `Missing entries, because the disk was full or faulty, or too many signed-out requests were refused: ${lost ?? 0}`;
    case 'checkpoint':
      return 'Checkpoint';
    case 'change':
      return capitalise(change ?? 'Unknown change');
  }
}

/** The name of a person, or the reason why there is none. */
export function describePerson(person: Person | undefined): string {
  if (!person) return 'Flagdeck';
  return person.name ?? person.sub ?? 'Not signed in';
}

/** How a person is known. */
export const PERSON_SOURCES: { readonly [source in PersonSource]: string } = {
  password: 'Signed in with a password',
  'unverified-email': 'Entered this email address, which was not verified',
  'identity-provider': 'Signed in at the identity provider',
  upstream: 'Reported by the flag service',
  'no-sign-in': 'Without sign-in, everyone is the operator',
  proxy: 'Named by the proxy that signs users in',
  'command-line': 'User of the operating system who ran the command',
  'session-digest': 'The flag service did not report the user; the digest identifies the session',
  unknown: 'The request had no valid session',
};

/** The reason why there are no older lines. */
export const JOURNAL_ENDS: { readonly [end in JournalEnd]: string } = {
  start: 'The journal starts here.',
  missing: 'Older entries are not here: their files were moved, compressed or removed.',
  period: 'There are no older entries in this period.',
};

/** The result of a request; undefined for lines without a request. */
export function describeResult({ status }: JournalLine): { text: string; tone: 'on' | 'warn' | 'danger' } | undefined {
  if (status === undefined) return undefined;
  if (status < 400) return { text: 'Accepted', tone: 'on' };
  if (status === 499) return { text: 'Unknown: disconnected', tone: 'danger' };
  return status < 500 ? { text: `Refused (${status})`, tone: 'warn' } : { text: `Failed (${status})`, tone: 'danger' };
}
