import type { Toggle } from '@/api/generated/types';
import { ArchiveScope, UseSummary, UseText } from '@/domain/toggles/ToggleUses';
import { useRankedUses } from '@/domain/toggles/toggleUse';
import { useIncrementalRows } from '@/ui/useIncrementalRows';

/** The toggles that a plan archives, with their calls and last use. Those that are still in use come first. */
export function ArchiveQuestion({ toggles }: { toggles: readonly Toggle[] }) {
  const { uses: rows, unknownReason } = useRankedUses(toggles);
  const { rendered, placeholder } = useIncrementalRows(rows);
  return (
    <>
      <p className="font-semibold text-text">
        Are you sure you want to remove {rows.length === 1 ? 'this toggle' : `these ${rows.length} toggles`}?
      </p>
      <UseSummary uses={rows} unknownReason={unknownReason} />
      <p className="mt-2">
        Applications that still use them get their default value, usually off. You can revive them from the archive.
      </p>
      <ArchiveScope />
      <section
        aria-label="Toggles to archive"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the list.
        tabIndex={0}
        className="mt-3 max-h-64 overflow-y-auto rounded-control border border-line px-3 py-2"
      >
        <ul className="grid gap-1.5">
          {rendered.map((use) => (
            <li key={use.toggle.name}>
              <span className="wrap-anywhere block font-medium text-text">{use.toggle.name}</span>
              <UseText use={use} />
            </li>
          ))}
        </ul>
        {placeholder}
      </section>
    </>
  );
}
