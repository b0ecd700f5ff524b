import { useState } from 'react';
import type { AuthDetails, AuthOption } from '@/api/generated/types';
import { useProfile } from '@/api/permissions';
import { useSettings } from '@/api/settings';
import { basePath, signInHref } from '@/lib/urls';
import { Button } from '@/ui/Button';
import { buttonClass } from '@/ui/buttonClass';
import { Dialog } from '@/ui/Dialog';
import { EmailForm } from './EmailForm';
import { PasswordForm } from './PasswordForm';

/** Sign-in dialog over the current page, which keeps its state. */
export function SignInDialog({ details }: { details: AuthDetails }) {
  const before = useProfile();
  return (
    <Dialog open title="Action Required">
      {before && (
        <p>
          Your session has ended. Your unsaved changes are kept if you sign in again as{' '}
          <b className="wrap-anywhere">{before.name}</b>.
        </p>
      )}
      <p>Authentication required</p>
      {details.message && <p className="text-muted">{details.message}</p>}
      <SignInMethod details={details} />
    </Dialog>
  );
}

function SignInMethod({ details: { type, path, options = [] } }: { details: AuthDetails }) {
  if (type === 'password') return <PasswordOrProvider path={path} options={options} />;
  if (type === 'unsecure' || type === 'demo') {
    return (
      <>
        <Providers options={options} />
        <EmailForm path={path} />
      </>
    );
  }
  return (
    <>
      <Providers options={options} />
      <ExternalSignIn path={path} />
    </>
  );
}

function PasswordOrProvider({ path, options }: { path: string | undefined; options: readonly AuthOption[] }) {
  const [shown, setShown] = useState(options.length === 0);
  return (
    <>
      <Providers options={options} />
      {shown ? (
        <PasswordForm path={path} />
      ) : (
        <Button variant="ghost" onClick={() => setShown(true)}>
          Show more options
        </Button>
      )}
    </>
  );
}

function Providers({ options }: { options: readonly AuthOption[] }) {
  const mountPath = useSettings()?.mountPath ?? '';
  return options.map(({ type, path, value }) => {
    const href = signInHref(path, basePath, mountPath);
    return href === undefined ? null : (
      <a key={type} href={href} rel="external" className={buttonClass()}>
        {value}
      </a>
    );
  });
}

function ExternalSignIn({ path }: { path: string | undefined }) {
  const href = signInHref(path, basePath, useSettings()?.mountPath ?? '');
  if (href === undefined) {
    return <p>The server does not provide a sign-in page. Contact your administrator.</p>;
  }
  return (
    <a href={href} rel="external" className={buttonClass({ variant: 'primary' })}>
      Sign in
    </a>
  );
}
