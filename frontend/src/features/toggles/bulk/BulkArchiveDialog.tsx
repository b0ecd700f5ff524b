import { useState } from 'react';
import type { Toggle } from '@/api/generated/types';
import { ArchiveScope, UseSummary, UseText } from '@/domain/toggles/ToggleUses';
import { type ToggleUse, useRankedUses } from '@/domain/toggles/toggleUse';
import type { Prompt } from '@/lib/prompt';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { CountOf } from '@/ui/Count';
import { SelectAllCheckbox } from '@/ui/SelectAllCheckbox';
import { useIncrementalRows } from '@/ui/useIncrementalRows';
import { countToggles } from './bulkActions';

interface Props {
  prompt: Prompt<readonly Toggle[]>;
  toggles: readonly Toggle[];
  /** Gets the names of the chosen toggles. */
  onConfirm: (names: readonly string[]) => Promise<void>;
}

/**
 * Asks for confirmation before several toggles are archived. Those that are still in use come first, and are archived only
 * if the user chooses them here again.
 */
export function BulkArchiveDialog({ prompt, toggles, onConfirm }: Props) {
  const { uses: rows, unknownReason } = useRankedUses(toggles);
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isChosen = ({ toggle, state }: ToggleUse) =>
    choices.get(toggle.name) ?? (state !== 'used' || rows.length === 1);
  const chosen = rows.filter(isChosen).map(({ toggle }) => toggle.name);
  const choose = (names: readonly string[], checked: boolean) =>
    setChoices(new Map([...choices, ...names.map((name) => [name, checked] as const)]));
  const { length } = toggles;
  return (
    <ConfirmDialog
      prompt={prompt}
      title={`Archive ${countToggles(length)}`}
      body={
        <>
          <p className="font-semibold text-text">
            {chosen.length === 0 ? CHOOSE : `Are you sure you want to remove ${describeChosen(chosen.length, length)}?`}
          </p>
          <UseSummary uses={rows} unknownReason={unknownReason}>
            {length > 1 && 'Only chosen toggles are archived.'}
          </UseSummary>
          {length === 1 ? (
            rows.map((use) => (
              <p key={use.toggle.name}>
                <b className="wrap-anywhere text-text">{use.toggle.name}</b> <UseText use={use} />
              </p>
            ))
          ) : (
            <UseList rows={rows} isChosen={isChosen} chosenCount={chosen.length} onChoose={choose} />
          )}
          <p className="mt-3">
            Applications that still use them get their default value, usually off. You can revive them from the archive.
          </p>
          <ArchiveScope />
        </>
      }
      confirmLabel={chosen.length === 0 ? 'Archive' : `Archive ${countToggles(chosen.length)}`}
      disabledReason={chosen.length === 0 ? CHOOSE : undefined}
      tone="danger"
      action={() => onConfirm(chosen)}
    />
  );
}

const CHOOSE = 'Choose the toggles to archive.';

function describeChosen(chosen: number, total: number): string {
  if (total === 1) return 'this toggle';
  return chosen === total ? `these ${total} toggles` : `${chosen} of these ${total} toggles`;
}

interface UseListProps {
  rows: readonly ToggleUse[];
  isChosen: (use: ToggleUse) => boolean;
  chosenCount: number;
  onChoose: (names: readonly string[], checked: boolean) => void;
}

/** The toggles with their uses and checkboxes. */
function UseList({ rows, isChosen, chosenCount, onChoose }: UseListProps) {
  const { rendered, placeholder } = useIncrementalRows(rows);
  return (
    <div className="mt-3 rounded-control border border-line">
      <div className="flex items-center gap-2.5 border-line border-b px-3 py-2 text-secondary touch:min-h-touch">
        <SelectAllCheckbox
          label="Choose all"
          count={chosenCount}
          total={rows.length}
          onChange={(checked) =>
            onChoose(
              rows.map(({ toggle }) => toggle.name),
              checked,
            )
          }
        />
        <span>
          <CountOf value={chosenCount} total={rows.length} /> chosen
        </span>
      </div>
      <div className="max-h-64 overflow-y-auto">
        <ul className="py-1">
          {rendered.map((use) => (
            <li key={use.toggle.name}>
              <label className="flex items-start gap-2.5 px-3 py-1.5 hover:bg-sunken touch:min-h-touch">
                <input
                  type="checkbox"
                  checked={isChosen(use)}
                  onChange={({ target }) => onChoose([use.toggle.name], target.checked)}
                  className="mt-0.5"
                />
                <span className="min-w-0">
                  <span className="wrap-anywhere block font-medium text-text">{use.toggle.name}</span>
                  <UseText use={use} />
                </span>
              </label>
            </li>
          ))}
        </ul>
        {placeholder}
      </div>
    </div>
  );
}
