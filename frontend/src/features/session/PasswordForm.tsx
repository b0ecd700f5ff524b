import { type FormEvent, useState } from 'react';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/TextField';
import { REQUIRED } from './EmailForm';
import { describeSignInFailure } from './signInFailure';
import { useSignIn } from './useSignIn';

export function PasswordForm({ path }: { path: string | undefined }) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { busy, submit } = useSignIn(path);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    setSubmitted(true);
    setFailure(undefined);
    if (busy || !username.trim() || !password) return;
    const status = await submit({ username: username.trim(), password });
    if (status === undefined) return;
    const { text, clearsPassword } = describeSignInFailure(status);
    setFailure(text);
    if (!clearsPassword) return;
    setPassword('');
    // The cleared password is not a missing required field.
    setSubmitted(false);
  };
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="flex flex-col gap-4">
      {failure && (
        <p role="alert" className="rounded-control bg-danger-soft px-3 py-2 text-danger">
          {failure}
        </p>
      )}
      <TextField
        label="Username"
        required
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={username}
        onChange={setUsername}
        error={isSubmitted && !username.trim() ? REQUIRED : undefined}
      />
      <TextField
        label="Password"
        required
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={isSubmitted && !password ? REQUIRED : undefined}
      />
      <Button type="submit" variant="primary" busy={busy} className="self-end">
        Sign in
      </Button>
    </form>
  );
}
