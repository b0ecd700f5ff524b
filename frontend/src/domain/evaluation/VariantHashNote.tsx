import { joinFirst } from '@/lib/text';
import { WarningIcon } from '@/ui/icons';
import { useOldLibraries } from './useOldLibraries';
import { CURRENT_VARIANT_SEED } from './variantSeed';

interface Props {
  /** Names of the applications that evaluate the toggle. */
  apps: readonly string[];
}

const MAX_NAMED = 3;

/** Warns if an application has reported a client library that selects other variants than the evaluation. */
export function VariantHashNote({ apps }: Props) {
  const affected = useOldLibraries(apps, CURRENT_VARIANT_SEED);
  if (affected.length === 0) return null;
  return (
    <p role="note" className="flex gap-2 rounded-control bg-warn-soft px-3 py-2 text-secondary text-warn">
      <WarningIcon size={15} className="mt-0.5 shrink-0" />
      <span className="wrap-anywhere min-w-0">
        {affected.length === 1 ? 'This application' : 'These applications'} can select other variants than shown here:{' '}
        {joinFirst(affected, MAX_NAMED)}. Client libraries before October 2023 hash the id in another way.
      </span>
    </p>
  );
}
