import { WarningIcon } from '@/ui/icons';
import { apiTokenResource } from './apiTokens';

/** Warns before the first client token is created, which applications without a token need from then on. */
export function FirstClientTokenWarning() {
  const { items } = apiTokenResource.useList();
  if (!items || items.some(({ kind }) => kind === 'client')) return null;
  return (
    <p className="flex items-start gap-1.5 text-secondary text-warn">
      <WarningIcon className="mt-0.5 shrink-0" />
      This is the first client token. Once it exists, client libraries without a token are refused.
    </p>
  );
}
