import { useOldLibraries } from '@/domain/evaluation/useOldLibraries';
import { joinFirst } from '@/lib/text';
import { findFirstVersions } from './operators';

interface Props {
  /** Names of the applications to check. */
  apps: readonly string[];
  operator: string;
  /** What the libraries are too old for. */
  subject: string;
}

const MAX_NAMED = 3;

/** Names the applications whose client library does not evaluate an operator. */
export function OldLibraryWarning({ apps, operator, subject }: Props) {
  const old = useOldLibraries(apps, findFirstVersions(operator) ?? {});
  if (old.length === 0) return null;
  return (
    <span className="wrap-anywhere block text-warn">
      {joinFirst(old, MAX_NAMED)}: {old.length === 1 ? 'this client library is' : 'these client libraries are'} too old
      for {subject}. Results can differ there.
    </span>
  );
}
