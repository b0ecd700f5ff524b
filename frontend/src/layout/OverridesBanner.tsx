import type { DefinitionsFile } from '@/api/generated/types';
import { OverrideIcon } from '@/ui/icons';

/** Overridden results, on every page, so that they are not taken for the state of the flag service. */
export function OverridesBanner({ file, overrides }: DefinitionsFile) {
  return (
    <p
      role="status"
      className="mb-4 flex items-start gap-3 rounded-card border border-line bg-warn-soft px-4 py-3 text-warn"
    >
      <OverrideIcon size={18} className="mt-0.5 shrink-0" />
      <span className="wrap-anywhere min-w-0 flex-1">
        <span className="font-semibold">SDKs get other results than those of {file}:</span> {overrides.join(', ')}
      </span>
    </p>
  );
}
