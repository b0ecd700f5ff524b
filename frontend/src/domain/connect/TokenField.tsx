import { type ReactNode, type RefObject, useRef, useState } from 'react';
import type { TokenKind } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { apiTokenResource, describeInvalidOrigin, isOrigin, newToken } from '@/domain/apiTokens/apiTokens';
import { FirstClientTokenWarning } from '@/domain/apiTokens/FirstClientTokenWarning';
import { useCreateToken } from '@/domain/apiTokens/newSecrets';
import { useRestoreFocus } from '@/lib/restoreFocus';
import { Button } from '@/ui/Button';
import { FailureText } from '@/ui/FailureText';
import { TextField } from '@/ui/TextField';

interface TokenFieldProps {
  value: string;
  onChange: (token: string) => void;
}

/** The token that the code contains. */
export function TokenField({ value, onChange }: TokenFieldProps) {
  return (
    <TextField
      label="Token"
      autoComplete="off"
      spellCheck={false}
      placeholder="TOKEN"
      className="font-mono"
      value={value}
      onChange={(token) => onChange(token.trim())}
    />
  );
}

interface NewTokenProps {
  /** The field of the token, beside the button. */
  field: ReactNode;
  kind: TokenKind;
  /** Name of the application, which becomes the name of the token. */
  app: string;
  onCreate: (secret: string) => void;
  /** The button that copies the code with the token. */
  copyButton: RefObject<HTMLElement | null>;
}

/** Creates a token of the embedded flag service. The secret is only in the code: the server cannot show it again. */
export function NewToken({ field, kind, app, onCreate, copyButton }: NewTokenProps) {
  const { items = [] } = apiTokenResource.useList();
  const create = useCreateToken();
  const permissionReason = usePermission('CREATE_API_TOKEN');
  const [origin, setOrigin] = useState('');
  const [isCreating, setCreating] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const element = useRef<HTMLDivElement>(null);
  // Removed when the code contains the token.
  useRestoreFocus(element, copyButton);
  const isForBrowsers = kind === 'frontend';

  async function createToken() {
    setCreating(true);
    setFailure(undefined);
    try {
      const name = freeName(
        app,
        items.map((token) => token.name),
      );
      const created = await create({ ...newToken, name, kind, origins: isForBrowsers ? [origin.trim()] : [] });
      if (created) onCreate(created.secret);
    } catch (thrown) {
      setFailure(thrown instanceof Error ? thrown : new Error(String(thrown)));
    } finally {
      setCreating(false);
    }
  }

  return (
    <div ref={element} className="grid gap-4">
      {isForBrowsers && (
        <TextField
          label="Origin of your page"
          disabled={isCreating}
          autoComplete="off"
          help="Such as https://shop.example. Pages of other origins cannot use the token; * allows all."
          error={origin.trim() === '' || isOrigin(origin.trim()) ? undefined : describeInvalidOrigin(origin.trim())}
          value={origin}
          onChange={setOrigin}
        />
      )}
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-50">{field}</div>
        <Button
          busy={isCreating}
          disabledReason={
            permissionReason ??
            (isForBrowsers && !isOrigin(origin.trim()) ? 'Enter the origin of your page.' : undefined)
          }
          onClick={() => void createToken()}
        >
          Create token and copy code
        </Button>
      </div>
      {kind === 'client' && permissionReason === undefined && <FirstClientTokenWarning />}
      {failure && <FailureText failure={failure} />}
    </div>
  );
}

/** Returns the name, or with the lowest number that makes it unique. */
function freeName(name: string, taken: readonly string[]): string {
  let free = name;
  for (let number = 2; taken.includes(free); number += 1) free = `${name}-${number}`;
  return free;
}
