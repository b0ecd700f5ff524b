import type { ReactNode } from 'react';
import type { CreatedApiToken } from '@/api/generated/types';
import { newSecrets, useSecretGuard } from '@/domain/apiTokens/newSecrets';
import { useStore } from '@/lib/store';
import { copyAndNotify } from '@/shared/copyAndNotify';
import { SecretField } from '@/shared/SecretField';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { CopyIcon, WarningIcon } from '@/ui/icons';

interface Props {
  token: CreatedApiToken;
  label?: string;
  autoFocus?: boolean;
  /** Beside the button that copies the secret. */
  children?: ReactNode;
}

/** The secret of a new token, which cannot be read again. */
export function TokenSecret({ token: { secret }, label = 'Token', autoFocus = false, children }: Props) {
  useSecretGuard();

  async function copy() {
    if (await copyAndNotify(secret)) newSecrets.noteCopied(secret);
  }

  return (
    <div className="grid max-w-180 gap-6">
      <Card>
        <div className="grid gap-4">
          <p role="status" className="flex items-center gap-2 text-warn">
            <WarningIcon className="shrink-0" />
            Copy the token now. It is not stored and cannot be shown again.
          </p>
          <SecretField
            label={label}
            value={secret}
            autoFocus={autoFocus}
            onCopy={newSecrets.noteCopyEvent}
            help="Client libraries send it in the header Authorization."
          />
        </div>
      </Card>
      <div className="flex flex-wrap items-center gap-2.5">
        <Button variant="primary" icon={<CopyIcon />} onClick={() => void copy()}>
          Copy token
        </Button>
        {children}
      </div>
    </div>
  );
}

/** Secrets that were created in a page that was left meanwhile, until they are copied. */
export function NewSecrets() {
  return useStore(newSecrets).map((token) => (
    <section key={token.name} aria-label={`New API token ${token.name}`} className="mb-6">
      <TokenSecret token={token} label={`Token of ${token.name}`} />
    </section>
  ));
}
