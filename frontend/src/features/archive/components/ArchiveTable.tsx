import { useState } from 'react';
import type { Counts, Toggle } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { useFeatureTypes } from '@/api/reads';
import {
  ACTION_CELL,
  metadataColumns,
  nameColumn,
  ringColumn,
  type ToggleRow,
  toggleRowHeight,
} from '@/domain/toggles/ToggleCells';
import { ToggleTableSkeleton } from '@/domain/toggles/ToggleTableSkeleton';
import { type CountsByName, getCounts } from '@/domain/toggles/toggleList';
import { useReviveConfirmation } from '@/domain/toggles/useReviveConfirmation';
import { YesRateRing } from '@/domain/toggles/YesRateRing';
import { findPageHeading } from '@/lib/findPageHeading';
import { paths } from '@/paths';
import { Button } from '@/ui/Button';
import { GridCells, type GridColumn, type Sorting } from '@/ui/GridColumn';
import { ReviveIcon } from '@/ui/icons';
import { VirtualTable } from '@/ui/VirtualTable';

interface ArchiveRow extends ToggleRow, ReviveButtonProps {
  counts: Counts | undefined;
}

export const archiveColumns: readonly GridColumn<Toggle, ArchiveRow>[] = [
  { ...ringColumn, cell: ({ counts }) => <YesRateRing counts={counts} /> },
  { ...nameColumn, href: ({ name }) => paths.archivedToggle(name) },
  ...metadataColumns,
  {
    header: 'Revive',
    hideHeader: true,
    width: '92px',
    className: ACTION_CELL,
    cell: (row) => <ReviveButton {...row} />,
  },
];

const layout = { columns: archiveColumns, phoneColumns: '44px 0 auto minmax(0,1fr) 44px' };

interface Props {
  /** Undefined while loading. */
  toggles: readonly Toggle[] | undefined;
  /** Calls of archived toggles: an application still uses a toggle that has any. */
  counts: CountsByName | undefined;
  revive: (toggle: Toggle) => Promise<boolean>;
  onRevived: (name: string) => void;
  sorting: Sorting;
}

export function ArchiveTable({ toggles, counts, revive, onRevived, sorting }: Props) {
  const types = useFeatureTypes();
  const disabledReason = usePermission('UPDATE_FEATURE');
  const confirmation = useReviveConfirmation(revive);
  const cells = (toggle: Toggle) => {
    const type = types.find(({ id }) => id === toggle.type)?.name ?? toggle.type;
    const href = paths.archivedToggle(toggle.name);
    const row = {
      toggle,
      type,
      href,
      counts: getCounts(counts, toggle.name),
      disabledReason,
      revive: confirmation.revive,
      onRevived,
    };
    return <GridCells columns={archiveColumns} row={row} />;
  };
  if (!toggles) return <ToggleTableSkeleton {...layout} />;
  return (
    <>
      <VirtualTable
        {...layout}
        label="Archived toggles"
        rows={toggles}
        rowKey={nameOf}
        rowHeight={toggleRowHeight}
        sorting={sorting}
      >
        {cells}
      </VirtualTable>
      {confirmation.dialog}
    </>
  );
}

const nameOf = ({ name }: Toggle) => name;

interface ReviveButtonProps {
  toggle: Toggle;
  disabledReason: string | undefined;
  revive: (toggle: Toggle) => Promise<boolean>;
  onRevived: (name: string) => void;
}

function ReviveButton({ toggle, disabledReason, revive, onRevived }: ReviveButtonProps) {
  const [busy, setBusy] = useState(false);

  async function press() {
    setBusy(true);
    if (await revive(toggle)) {
      onRevived(toggle.name);
      // The button disappears with its row, so focus moves to the heading.
      findPageHeading()?.focus({ preventScroll: true });
    }
    setBusy(false);
  }

  return (
    <Button
      variant="ghost"
      size="small"
      aria-label={`Revive ${toggle.name}`}
      icon={<ReviveIcon />}
      busy={busy}
      disabledReason={disabledReason}
      onClick={() => void press()}
    >
      <span className="max-sm:sr-only">Revive</span>
    </Button>
  );
}
