import { useState } from 'react';
import { useCloseGuard } from '@/lib/useLeaveGuard';
import { sections } from '@/paths';
import { copyAndNotify } from '@/shared/copyAndNotify';
import { LinkButton } from '@/shared/LinkButton';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { CopyIcon, WarningIcon } from '@/ui/icons';
import { TextField } from '@/ui/TextField';

/** The secret of a new token, which cannot be read again. */
export function TokenSecret({ secret }: { secret: string }) {
  const [isCopied, setCopied] = useState(false);
  useCloseGuard(!isCopied);

  function copy() {
    setCopied(true);
    void copyAndNotify(secret);
  }

  return (
    <div className="grid max-w-180 gap-6">
      <Card>
        <div className="grid gap-4">
          <p role="status" className="flex items-center gap-2 text-warn">
            <WarningIcon className="shrink-0" />
            Copy the token now. It is not stored and cannot be shown again.
          </p>
          <TextField
            label="Token"
            readOnly
            autoFocus
            className="font-mono"
            value={secret}
            onChange={() => undefined}
            onFocus={(event) => event.currentTarget.select()}
            onCopy={() => setCopied(true)}
            help="Client libraries send it in the header Authorization."
          />
        </div>
      </Card>
      <div className="flex flex-wrap items-center gap-2.5">
        <Button variant="primary" icon={<CopyIcon />} onClick={copy}>
          Copy token
        </Button>
        <LinkButton to={sections.apiTokens.path}>Done</LinkButton>
      </div>
    </div>
  );
}
