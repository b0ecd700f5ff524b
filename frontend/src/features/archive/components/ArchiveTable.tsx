import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Toggle } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { useFeatureTypes } from '@/api/reads';
import { findPageHeading } from '@/lib/findPageHeading';
import { type CountsByName, getCounts } from '@/lib/toggleList';
import { paths } from '@/paths';
import { Button } from '@/ui/Button';
import {
  ActionCell,
  archiveColumns,
  HeaderCell,
  MetadataCells,
  MetadataHeaders,
  NameCell,
  RingCell,
  toggleRowHeight,
} from '@/ui/ToggleCells';
import { ToggleTableSkeleton } from '@/ui/ToggleTableSkeleton';
import { VirtualTable } from '@/ui/VirtualTable';
import { VisuallyHidden } from '@/ui/VisuallyHidden';

interface Props {
  /** Undefined while loading. */
  toggles: readonly Toggle[] | undefined;
  /** Calls of archived toggles: an application still uses a toggle that has any. */
  counts: CountsByName | undefined;
  revive: (toggle: Toggle) => Promise<boolean>;
  onRevived: (name: string) => void;
}

export function ArchiveTable({ toggles, counts, revive, onRevived }: Props) {
  const types = useFeatureTypes();
  const reviveDisabledReason = usePermission('UPDATE_FEATURE');
  const cells = (toggle: Toggle) => (
    <>
      <RingCell counts={getCounts(counts, toggle.name)} />
      <NameCell toggle={toggle}>
        <Link to={paths.archivedToggle(toggle.name)} className="hover:text-accent hover:underline">
          {toggle.name}
        </Link>
      </NameCell>
      <MetadataCells toggle={toggle} type={types.find(({ id }) => id === toggle.type)?.name ?? toggle.type} />
      <ActionCell>
        <ReviveButton toggle={toggle} disabledReason={reviveDisabledReason} revive={revive} onRevived={onRevived} />
      </ActionCell>
    </>
  );
  if (!toggles) return <ToggleTableSkeleton />;
  return (
    <VirtualTable
      label="Archived toggles"
      rows={toggles}
      rowKey={nameOf}
      columns={archiveColumns}
      rowHeight={toggleRowHeight}
      header={header}
    >
      {cells}
    </VirtualTable>
  );
}

const nameOf = ({ name }: Toggle) => name;

const header = (
  <>
    <HeaderCell>Yes</HeaderCell>
    <HeaderCell>Name</HeaderCell>
    <MetadataHeaders />
    <HeaderCell>
      <VisuallyHidden>Revive</VisuallyHidden>
    </HeaderCell>
  </>
);

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
      icon={<Undo2 size={16} strokeWidth={1.75} aria-hidden="true" />}
      busy={busy}
      disabledReason={disabledReason}
      onClick={() => void press()}
    >
      <span className="max-sm:sr-only">Revive</span>
    </Button>
  );
}
