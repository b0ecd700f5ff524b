import { type FormEvent, useState } from 'react';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/TextField';
import { OTHER_FAILURE } from './signInFailure';
import { useSignIn } from './useSignIn';

export const REQUIRED = 'This is a required field';

/** Signs in with an email address alone: type `unsecure`, which Unleash 4.0 to 4.22 call `demo`. */
export function EmailForm({ path }: { path: string | undefined }) {
  const [email, setEmail] = useState('');
  const [error, setError] = useState<string>();
  const { busy, submit } = useSignIn(path);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (!email.trim()) {
      setError(REQUIRED);
      return;
    }
    const status = await submit({ email: email.trim() });
    setError(status === undefined ? undefined : OTHER_FAILURE);
  };
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="flex flex-col gap-4">
      <TextField
        label="Email"
        required
        type="email"
        autoComplete="email"
        value={email}
        onChange={setEmail}
        error={error}
        help="Enter your email; changes are recorded under it."
      />
      <Button type="submit" variant="primary" busy={busy} className="self-end">
        Sign in
      </Button>
    </form>
  );
}
