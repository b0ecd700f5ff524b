// Texts of the revocation of sessions.

import type { SessionMethod, UserSession } from '@/api/generated/types';
import type { Confirmation } from '@/ui/ConfirmDialog';

export const METHODS: { [method in SessionMethod]: string } = {
  password: 'Password',
  provider: 'Single sign-on',
};

/** A session to revoke, or all sessions of its person. */
export interface Revocation {
  session: UserSession;
  all: boolean;
}

/** Returns whether two sessions belong to one account, or to one person at the identity provider without an account. */
export function isSamePerson(one: UserSession, other: UserSession): boolean {
  if (one.username !== null || other.username !== null) return one.username === other.username;
  return one.issuer === other.issuer && one.subject === other.subject;
}

/** Returns the question before a revocation. */
export function describeRevocation(
  { session, all }: Revocation,
  sessions: readonly UserSession[],
): Omit<Confirmation, 'action'> {
  const person = <b className="wrap-anywhere text-text">{session.name}</b>;
  const affected = all ? sessions.filter((other) => isSamePerson(session, other)) : [session];
  const isOwn = affected.some((other) => other.isOwn);
  if (isOwn && !all) {
    return {
      title: 'Sign out',
      body: <p>This is your own session. You will be signed out.</p>,
      confirmLabel: 'Sign out',
    };
  }
  return {
    title: all ? 'Revoke all sessions' : 'Revoke session',
    body: (
      <>
        <p>
          {person} will be signed out {all ? 'everywhere' : `in ${session.client ?? 'that browser'}`}: the next request
          is refused.{isOwn && ' You will be signed out too.'}
        </p>
        <p className="mt-2">To prevent another sign-in, {affected.map(preventionOf).filter(isFirst).join(', and ')}.</p>
      </>
    ),
    confirmLabel: 'Revoke',
    tone: 'danger',
  };
}

/** Returns what prevents another sign-in of the person. */
function preventionOf({ method, username }: UserSession): string {
  return method === 'provider'
    ? 'block the account at the identity provider too'
    : `disable ${username ?? 'the user'} under Users too`;
}

const isFirst = (text: string, index: number, all: readonly string[]) => all.indexOf(text) === index;

/** Returns the text after a revocation. */
export function revokedNotice(name: string, revoked: number): string {
  if (revoked === 0) return `The session of ${name} had already ended`;
  return revoked === 1 ? `Revoked a session of ${name}` : `Revoked ${revoked} sessions of ${name}`;
}
