import { memo, useCallback } from 'react';
import { Link } from 'react-router-dom';
import type { Toggle } from '@/api/generated/types';
import { useFeatureTypes } from '@/api/reads';
import { type CountsByName, countsOf } from '@/lib/toggleList';
import { useSubject } from '@/lib/useSubject';
import { paths } from '@/paths';
import {
  ActionCell,
  FactCells,
  FactHeaders,
  HeaderCell,
  NameCell,
  RingCell,
  toggleColumns,
  toggleRowHeight,
} from '@/ui/ToggleCells';
import { ToggleTableSkeleton } from '@/ui/ToggleTableSkeleton';
import { VirtualTable } from '@/ui/VirtualTable';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { ArchiveDialog } from './ArchiveDialog';
import { RowMenu } from './RowMenu';
import { ToggleSwitch } from './ToggleSwitch';

interface Props {
  /** Undefined while they are read. */
  toggles: readonly Toggle[] | undefined;
  counts: CountsByName | undefined;
}

export function ToggleTable({ toggles, counts }: Props) {
  const types = useFeatureTypes();
  const { subject, open, ask, close } = useSubject<Toggle>();
  // New counts reach every row in sight, but its cells compare numbers: only those that changed are drawn again.
  const cells = useCallback(
    (toggle: Toggle) => {
      const asked = countsOf(counts, toggle.name);
      const type = types.find(({ id }) => id === toggle.type)?.name ?? toggle.type;
      return <Cells toggle={toggle} yes={asked?.yes} no={asked?.no} type={type} onArchive={ask} />;
    },
    [counts, types, ask],
  );
  if (!toggles) return <ToggleTableSkeleton />;
  return (
    <>
      <VirtualTable
        label="Feature toggles"
        rows={toggles}
        rowKey={nameOf}
        columns={toggleColumns}
        rowHeight={toggleRowHeight}
        header={header}
      >
        {cells}
      </VirtualTable>
      <ArchiveDialog toggle={subject} open={open} onClose={close} />
    </>
  );
}

const nameOf = ({ name }: Toggle) => name;

const header = (
  <>
    <HeaderCell>Yes</HeaderCell>
    <HeaderCell>On</HeaderCell>
    <HeaderCell>Name</HeaderCell>
    <FactHeaders />
    <HeaderCell>
      <VisuallyHidden>Actions</VisuallyHidden>
    </HeaderCell>
  </>
);

interface CellsProps {
  toggle: Toggle;
  yes: number | undefined;
  no: number | undefined;
  type: string;
  onArchive: (toggle: Toggle) => void;
}

const Cells = memo(function Cells({ toggle, yes, no, type, onArchive }: CellsProps) {
  const counts = yes === undefined || no === undefined ? undefined : { yes, no };
  return (
    <>
      <RingCell counts={counts}>
        {(ring) => (
          <Link to={paths.toggle(toggle.name, 'view')} className="inline-flex rounded-full">
            <VisuallyHidden>Metrics of {toggle.name}: </VisuallyHidden>
            {ring}
          </Link>
        )}
      </RingCell>
      <td className="flex max-sm:row-span-2">
        <ToggleSwitch toggle={toggle} />
      </td>
      <NameCell toggle={toggle}>
        <Link to={paths.toggle(toggle.name)} className="hover:text-accent hover:underline">
          {toggle.name}
        </Link>
      </NameCell>
      <FactCells toggle={toggle} type={type} />
      <ActionCell>
        <RowMenu toggle={toggle} onArchive={onArchive} />
      </ActionCell>
    </>
  );
});
