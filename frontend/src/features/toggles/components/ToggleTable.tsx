import { memo, useCallback } from 'react';
import { Link } from 'react-router-dom';
import type { Toggle } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { useFeatureTypes } from '@/api/reads';
import { lazyInIdle } from '@/lib/lazyInIdle';
import { usePrompt } from '@/lib/prompt';
import { type CountsByName, getCounts } from '@/lib/toggleList';
import { paths } from '@/paths';
import { LazyBoundary } from '@/ui/LazyBoundary';
import {
  ActionCell,
  HeaderCell,
  MetadataCells,
  MetadataHeaders,
  NameCell,
  RingCell,
  toggleColumns,
  toggleRowHeight,
} from '@/ui/ToggleCells';
import { ToggleTableSkeleton } from '@/ui/ToggleTableSkeleton';
import { VirtualTable } from '@/ui/VirtualTable';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import type { Selection } from '../useSelection';
import { RowCheckbox } from './RowCheckbox';
import { RowMenu } from './RowMenu';
import { ToggleSwitch } from './ToggleSwitch';

const ArchiveDialog = lazyInIdle(() => import('./ArchiveDialog').then((part) => part.ArchiveDialog));

interface Props {
  /** Undefined while loading. */
  toggles: readonly Toggle[] | undefined;
  counts: CountsByName | undefined;
  selection: Selection;
}

export function ToggleTable({ toggles, counts, selection }: Props) {
  const types = useFeatureTypes();
  const [archiving, archiveState] = usePrompt<Toggle>();
  // Computed once for all rows, because rows must render quickly while scrolling.
  const updateDisabledReason = usePermission('UPDATE_FEATURE');
  const archiveDisabledReason = usePermission('DELETE_FEATURE');
  // Counts are passed as numbers, so that memoized rows render again only if their counts changed.
  const { names, set } = selection;
  const cells = useCallback(
    (toggle: Toggle) => {
      const callCounts = getCounts(counts, toggle.name);
      const type = types.find(({ id }) => id === toggle.type)?.name ?? toggle.type;
      return (
        <Cells
          toggle={toggle}
          yes={callCounts?.yes}
          no={callCounts?.no}
          type={type}
          selected={names.has(toggle.name)}
          updateDisabledReason={updateDisabledReason}
          archiveDisabledReason={archiveDisabledReason}
          onSelect={set}
          onArchive={archiving.ask}
        />
      );
    },
    [counts, types, names, set, archiving, updateDisabledReason, archiveDisabledReason],
  );
  if (!toggles) return <ToggleTableSkeleton />;
  return (
    <div className="group" data-selecting={selection.toggles.length > 0 || undefined}>
      <VirtualTable
        label="Feature toggles"
        rows={toggles}
        rowKey={nameOf}
        columns={toggleColumns}
        rowHeight={toggleRowHeight}
        header={<Header selection={selection} total={toggles.length} />}
      >
        {cells}
      </VirtualTable>
      {archiveState && (
        <LazyBoundary open={archiveState.open} onLoadError={archiving.close}>
          <ArchiveDialog prompt={archiving} toggle={archiveState.question} />
        </LazyBoundary>
      )}
    </div>
  );
}

const nameOf = ({ name }: Toggle) => name;

function Header({ selection, total }: { selection: Selection; total: number }) {
  const { length } = selection.toggles;
  return (
    <>
      <HeaderCell>
        <input
          ref={(box) => {
            if (box) box.indeterminate = length > 0 && length < total;
          }}
          type="checkbox"
          aria-label={`Select all ${total}`}
          checked={length > 0 && length === total}
          onChange={({ target }) => selection.setAll(target.checked)}
          className="block size-4 cursor-pointer accent-accent"
        />
      </HeaderCell>
      <HeaderCell>Yes</HeaderCell>
      <HeaderCell>On</HeaderCell>
      <HeaderCell>Name</HeaderCell>
      <MetadataHeaders />
      <HeaderCell>
        <VisuallyHidden>Actions</VisuallyHidden>
      </HeaderCell>
    </>
  );
}

interface CellsProps {
  toggle: Toggle;
  yes: number | undefined;
  no: number | undefined;
  type: string;
  selected: boolean;
  updateDisabledReason: string | undefined;
  archiveDisabledReason: string | undefined;
  onSelect: Selection['set'];
  onArchive: (toggle: Toggle) => void;
}

const Cells = memo(function Cells({ toggle, yes, no, type, selected, onSelect, onArchive, ...reasons }: CellsProps) {
  const counts = yes === undefined || no === undefined ? undefined : { yes, no };
  return (
    <>
      <td className="flex max-sm:row-span-2 max-sm:hidden max-sm:group-data-selecting:flex">
        <RowCheckbox name={toggle.name} checked={selected} onChoose={onSelect} />
      </td>
      <RingCell counts={counts} className="max-sm:group-data-selecting:hidden">
        {(ring) => (
          <Link to={paths.toggle(toggle.name, 'view')} className="inline-flex rounded-full">
            <VisuallyHidden>Metrics of {toggle.name}: </VisuallyHidden>
            {ring}
          </Link>
        )}
      </RingCell>
      <td className="flex max-sm:row-span-2">
        <ToggleSwitch toggle={toggle} disabledReason={reasons.updateDisabledReason} />
      </td>
      <NameCell toggle={toggle}>
        <Link to={paths.toggle(toggle.name)} className="hover:text-accent hover:underline">
          {toggle.name}
        </Link>
      </NameCell>
      <MetadataCells toggle={toggle} type={type} />
      <ActionCell>
        <RowMenu toggle={toggle} {...reasons} onArchive={onArchive} onSelect={selected ? undefined : onSelect} />
      </ActionCell>
    </>
  );
});
