import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { unfinishedActions } from '@/api/authState';
import { post, read, write } from '@/api/client';
import { user } from '@/api/endpoints';
import { ApiError, fieldText } from '@/api/error';
import { MIN_PASSWORD_LENGTH } from '@/api/generated/limits';
import type { AuthDetails, AuthOption } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { pushError } from '@/api/notices';
import { useProfile } from '@/api/permissions';
import { useSettings } from '@/api/settings';
import { isOverlayOpen } from '@/lib/overlays';
import { useStore } from '@/lib/store';
import { basePath, signInHref, signInPath } from '@/lib/urls';
import { useCloseGuard, useHasUnsavedWork } from '@/lib/useLeaveGuard';
import { paths } from '@/paths';
import { SaveCancelledError } from '@/shared/SaveCancelledError';
import { useForm } from '@/shared/useForm';
import { Button } from '@/ui/Button';
import { buttonClass } from '@/ui/buttonClass';
import { Dialog } from '@/ui/Dialog';
import { FailureText } from '@/ui/FailureText';
import { Progress } from '@/ui/Progress';
import { TextField } from '@/ui/TextField';
import { adoptUser, announceSessionChange } from './sessionChange';
import { canSignInSilently, recordSilentAttempt } from './silentSignIn';

/** Sign-in dialog over the current page, which keeps its state. */
export function SignInDialog({ details }: { details: AuthDetails }) {
  const before = useProfile();
  const silentHref = useReturnHref(details.silentPath);
  const mustStay = useMustStay();
  const hasAction = useStore(unfinishedActions) > 0;
  useCloseGuard(hasAction);
  // Decided once: the page reloads, and a second attempt would not help.
  const [isSilent] = useState(
    () => silentHref !== undefined && !mustStay && !isOverlayOpen('dialog') && canSignInSilently(),
  );
  if (isSilent && silentHref !== undefined) return <SilentSignIn href={silentHref} />;
  return (
    <Dialog open title="Action Required">
      {before && (
        <p>
          Your session has ended. Your unsaved changes are kept if you sign in again as{' '}
          <b className="wrap-anywhere">{before.name}</b>.{hasAction && ' Your last action is then repeated.'}
        </p>
      )}
      <p>Authentication required</p>
      {details.message && <p className="text-muted">{details.message}</p>}
      <SignInMethod details={details} />
    </Dialog>
  );
}

/** Returns whether a reload would drop something: unsaved work, or an action that continues after the sign-in. */
function useMustStay(): boolean {
  const hasUnsavedWork = useHasUnsavedWork();
  const hasAction = useStore(unfinishedActions) > 0;
  return hasUnsavedWork || hasAction;
}

/** Sends the browser through the identity provider, which signs the user in again without a question. */
function SilentSignIn({ href }: { href: string }) {
  // The navigation is outside React.
  useEffect(() => {
    recordSilentAttempt();
    location.assign(href);
  }, [href]);
  return (
    <Dialog open title="Renewing your session">
      <Progress label="Renewing your session" />
    </Dialog>
  );
}

/** Returns the link to a sign-in page of this program, which returns to the current page. */
function useReturnHref(path: string | undefined): string | undefined {
  const { pathname, search, hash } = useLocation();
  const href = signInHref(path, basePath, useSettings()?.mountPath ?? '');
  if (href === undefined) return undefined;
  return `${href}${href.includes('?') ? '&' : '?'}return=${encodeURIComponent(pathname + search + hash)}`;
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
      {(path || options.length === 0) && <ExternalSignIn path={path} />}
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
    if (type === 'oidc') return <SingleSignOn key={type} path={path} label={value} />;
    const href = signInHref(path, basePath, mountPath);
    return href === undefined ? null : (
      <a key={type} href={href} rel="external" className={buttonClass()}>
        {value}
      </a>
    );
  });
}

/** The button of the identity provider. Unsaved work and actions stay on the page: then the sign-in opens in another tab. */
function SingleSignOn({ path, label }: { path: string; label: string }) {
  const href = useReturnHref(path);
  const opensTab = useMustStay();
  const finishSignIn = useFinishSignIn();
  // A failure says that the sign-in in the other tab has not ended.
  const check = useEffectEvent(() => void finishSignIn().catch(() => undefined));
  // The other tab is outside React.
  useEffect(() => {
    if (!opensTab) return undefined;
    const onFocus = () => check();
    addEventListener('focus', onFocus);
    return () => removeEventListener('focus', onFocus);
  }, [opensTab]);
  if (href === undefined) return null;
  return (
    <>
      <a
        href={href}
        {...(opensTab ? { target: '_blank', rel: 'noopener' } : { rel: 'external' })}
        className={buttonClass({ variant: 'primary' })}
      >
        {label}
      </a>
      {opensTab && (
        <p className="text-muted">
          Opens a new tab. Return to this one after you have signed in; your changes are kept.
        </p>
      )}
    </>
  );
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

function PasswordForm({ path }: { path: string | undefined }) {
  const signIn = useSignIn(path);
  /** The one-time password with which the user must choose another one. */
  const [oneTime, setOneTime] = useState<string>();
  const form = useForm({
    start: { username: '', password: '', newPassword: '' },
    rules: ({ username, password, newPassword }) => ({
      username: username.trim() ? undefined : REQUIRED,
      password: password ? undefined : REQUIRED,
      newPassword: oneTime !== undefined && oneTime === password ? newPasswordError(newPassword, oneTime) : undefined,
    }),
    save: async ({ username, password, newPassword }) => {
      const failed = await signIn({
        username: username.trim(),
        password,
        ...(oneTime === password && { newPassword }),
      });
      if (failed === undefined) return true;
      const { text, clearsPassword, needsNewPassword = false } = describeSignInFailure(failed);
      setOneTime(needsNewPassword ? password : undefined);
      // The empty field is not a missing required field.
      if (clearsPassword || needsNewPassword) {
        form.restart({ username, password: needsNewPassword ? password : '', newPassword: '' });
      }
      if (needsNewPassword) return false;
      throw new SaveCancelledError(text);
    },
    guardsLeave: false,
  });
  const { formProps, fieldsProps, bind, failure, saving } = form;
  return (
    <form {...formProps} className="flex flex-col gap-4">
      {failure && <FailureText failure={failure} className="rounded-control bg-danger-soft px-3 py-2" />}
      <fieldset {...fieldsProps} className="flex min-w-0 flex-col gap-4">
        <TextField
          label="Username"
          required
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...bind('username')}
        />
        <TextField label="Password" required type="password" autoComplete="current-password" {...bind('password')} />
        {oneTime !== undefined && oneTime === form.input.password && (
          <>
            <p role="status">This is a one-time password. Choose your own password to sign in.</p>
            <TextField
              label="New password"
              required
              autoFocus
              type="password"
              autoComplete="new-password"
              help={`At least ${MIN_PASSWORD_LENGTH} characters.`}
              {...bind('newPassword')}
            />
          </>
        )}
      </fieldset>
      <Button type="submit" variant="primary" busy={saving} className="self-end">
        Sign in
      </Button>
    </form>
  );
}

const REQUIRED = 'This is a required field';

function newPasswordError(text: string, oneTime: string): string | undefined {
  if ([...text].length < MIN_PASSWORD_LENGTH) return `Enter at least ${MIN_PASSWORD_LENGTH} characters.`;
  return text === oneTime ? 'Choose another password than the one-time password.' : undefined;
}

/** Signs in with an email address alone: type `unsecure`, which Unleash 4.0 to 4.22 call `demo`. */
function EmailForm({ path }: { path: string | undefined }) {
  const signIn = useSignIn(path);
  const { formProps, fieldsProps, bind, errors, failure, saving } = useForm({
    start: { email: '' },
    rules: ({ email }) => ({ email: email.trim() ? undefined : REQUIRED }),
    save: async ({ email }) => {
      const signInFailure = await signIn({ email: email.trim() });
      if (signInFailure !== undefined) throw new SaveCancelledError(OTHER_FAILURE);
    },
    guardsLeave: false,
  });
  return (
    <form {...formProps} className="flex flex-col gap-4">
      <fieldset {...fieldsProps} className="min-w-0">
        <TextField
          label="Email"
          required
          type="email"
          autoComplete="email"
          {...bind('email')}
          error={errors.email ?? failure?.message}
          help="Enter your email; changes are recorded under it."
        />
      </fieldset>
      <Button type="submit" variant="primary" busy={saving} className="self-end">
        Sign in
      </Button>
    </form>
  );
}

/** Returns a function that signs in. It resolves with the failure, or undefined. */
function useSignIn(path: string | undefined): (credentials: object) => Promise<ApiError | undefined> {
  const mountPath = useSettings()?.mountPath ?? '';
  const finishSignIn = useFinishSignIn();
  return async (credentials) => {
    try {
      // A 401 means wrong credentials; the dialog is already open.
      await write(post<object>(signInPath(path, mountPath) ?? ''), credentials, { skipSignInPrompt: true });
      await finishSignIn();
      return undefined;
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      // The question for a new password is no problem.
      if (!describeSignInFailure(failure).needsNewPassword) pushError(failure.noticeText, { shownInPlace: true });
      return failure;
    }
  };
}

/**
 * Returns a function that reloads all data after a sign-in. The page stays open. If another user was signed in before,
 * that user's data is cleared and the first page opens.
 */
function useFinishSignIn(): () => Promise<void> {
  const { data: before } = useRead(user);
  // Without a question about unsaved work: nothing of the user before remains.
  const navigate = useNavigate();
  return async () => {
    const hasChanged = await adoptUser(before, await read(user, { skipSignInPrompt: true }));
    announceSessionChange();
    if (before && hasChanged) await navigate(paths.home());
  };
}

// Messages for a failed sign-in.

interface SignInFailure {
  text: string;
  /** The password must be entered again. */
  clearsPassword: boolean;
  /** The password is right, and the user must choose another one. */
  needsNewPassword?: boolean;
}

/** Refusals of this program that the user can understand: the password is right. */
const EXPLAINED = ['account_disabled', 'one_time_password_expired'];

/** Returns the message for a failed password sign-in. 4.x servers send 401 for wrong credentials. */
export function describeSignInFailure({ status, body }: Pick<ApiError, 'status' | 'body'>): SignInFailure {
  const code = fieldText(body, 'code');
  if (code === 'new_password_needed') return { text: '', clearsPassword: false, needsNewPassword: true };
  if (code !== undefined && EXPLAINED.includes(code)) {
    return { text: fieldText(body, 'message') ?? OTHER_FAILURE, clearsPassword: true };
  }
  switch (status) {
    case 404:
      return { text: 'User not found', clearsPassword: true };
    case 400:
    case 401:
      return { text: 'Wrong password', clearsPassword: true };
    case 429:
      return { text: 'Too many sign-in attempts. Try again in a minute.', clearsPassword: false };
    default:
      return { text: OTHER_FAILURE, clearsPassword: false };
  }
}

const OTHER_FAILURE = 'Could not sign in at the moment.';
