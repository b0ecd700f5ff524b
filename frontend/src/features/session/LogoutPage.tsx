import { useEffect, useEffectEvent, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { logout } from '@/api/endpoints';
import type { ApiError } from '@/api/error';
import { clearUserData } from '@/api/useRead';
import { useWrite } from '@/api/useWrite';
import { safeHref } from '@/lib/urls';
import { paths } from '@/paths';
import { LinkButton } from '@/shared/LinkButton';
import { Button } from '@/ui/Button';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { SignOutIcon } from '@/ui/icons';
import { Progress } from '@/ui/Progress';
import { announceSessionChange } from './sessionChange';

/** Signs out as soon as it opens. If another site opened it, the binary adds `?confirm`, and the page asks first. */
export function LogoutPage() {
  const [params] = useSearchParams();
  const [isConfirmed, setConfirmed] = useState(!params.has('confirm'));
  return isConfirmed ? <SigningOut /> : <ConfirmSignOut onConfirm={() => setConfirmed(true)} />;
}

function ConfirmSignOut({ onConfirm }: { onConfirm: () => void }) {
  return (
    <div className="flex flex-col items-center gap-3 text-center">
      <SignOutBadge />
      <h1 className="text-title [font-weight:650]">Sign out?</h1>
      <p className="text-muted">Another website opened this page.</p>
      <div className="flex gap-2">
        <LinkButton to={paths.home()}>Stay signed in</LinkButton>
        <Button variant="primary" onClick={onConfirm}>
          Sign out
        </Button>
      </div>
    </div>
  );
}

function SignOutBadge() {
  return (
    <span className="flex size-11 items-center justify-center rounded-full bg-accent-soft text-accent">
      <SignOutIcon size={20} />
    </span>
  );
}

function SigningOut() {
  const { outcome, retry } = useLogout();
  if (outcome === undefined) return <Progress label="Signing out" />;
  if (outcome !== 'done') {
    // This page has no outage banner: the panel shows every failure.
    const { message, detail } = outcome;
    return <ErrorPanel title="You could not be signed out" error={{ message, detail }} onRetry={retry} />;
  }
  return (
    <div className="flex flex-col items-center gap-3 text-center">
      <SignOutBadge />
      <h1 className="text-title [font-weight:650]">You are signed out</h1>
      <p className="text-muted">Data was cleared from this window.</p>
      <LinkButton to={paths.home()} variant="primary">
        Sign in again
      </LinkButton>
    </div>
  );
}

function useLogout() {
  const { send } = useWrite();
  const [outcome, setOutcome] = useState<'done' | ApiError>();
  const signOut = async () => {
    try {
      const response = await send(logout, { inline: true });
      clearUserData({ rereads: false });
      announceSessionChange();
      const logoutUrl = safeHref(response?.location);
      // Single sign-on ends its session at its own URL.
      if (logoutUrl) location.assign(logoutUrl);
      else setOutcome('done');
    } catch (failure) {
      setOutcome(failure as ApiError);
    }
  };
  const onOpen = useEffectEvent(signOut);
  // Runs once: opening the page, or its button, is the request to sign out.
  useEffect(() => void onOpen(), []);
  const retry = () => {
    setOutcome(undefined);
    void signOut();
  };
  return { outcome, retry };
}
