// Whether a name can be had: the server knows, and is asked when the field is left.
import { useState } from 'react';
import { validateFeature } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import { pushError } from '@/api/errorList';
import { useWrite } from '@/api/hooks';

/** What was said about a name; it says nothing about the next one. */
interface Verdict {
  name: string;
  message: string;
}

export function useNameCheck(name: string) {
  const { run } = useWrite();
  const [verdict, setVerdict] = useState<Verdict>();
  const nameError = verdict?.name === name ? verdict.message : undefined;
  const refuseName = (message: string) => setVerdict({ name, message });

  async function checkName(): Promise<void> {
    if (name === '') return;
    try {
      await run(validateFeature, { body: { name }, inline: true });
      setVerdict(undefined);
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.status === 401) return;
      if (thrown.status >= 400 && thrown.status < 500) refuseName(thrown.message);
      else pushError(thrown.listed);
    }
  }

  return { nameError, checkName, refuseName };
}
