import { type ReactNode, useCallback, useMemo } from 'react';
import type { Toggle } from '@/api/generated/types';
import { useFeatureTypes } from '@/api/reads';
import {
  CONTROL_CELL,
  metadataColumns,
  nameColumn,
  type ToggleRow,
  toggleRowHeight,
} from '@/domain/toggles/ToggleCells';
import { defaultSettings } from '@/domain/toggles/toggleListSettings';
import { useToggleRows } from '@/domain/toggles/useToggleRows';
import { useSearch } from '@/lib/useSearch';
import { useUrlParams } from '@/shared/useUrlParams';
import { CountOf } from '@/ui/Count';
import { GridCells, type GridColumn } from '@/ui/GridColumn';
import { NoMatches } from '@/ui/NoMatches';
import { SearchField } from '@/ui/SearchField';
import { Table } from '@/ui/Table';
import { describeAudience } from '../list/describeAudience';

interface SdkToggleRow extends ToggleRow {
  control: ReactNode;
}

const columns: readonly GridColumn<Toggle, SdkToggleRow>[] = [
  {
    header: 'On',
    width: '48px',
    className: `${CONTROL_CELL} max-sm:col-start-2 max-sm:row-span-2 max-sm:row-start-1`,
    cell: ({ control }) => control,
  },
  nameColumn,
  ...metadataColumns.filter(({ header }) => header === 'Type'),
];

const phoneColumns = '0 50px auto minmax(0,1fr) 0';

interface Props {
  toggles: readonly Toggle[];
  /** URL of the page of a toggle. Stable. */
  href: (name: string) => string;
  /** The switch of a toggle. Stable. */
  control: (toggle: Toggle) => ReactNode;
}

/** List of toggles as SDKs get them, with a search. They have no metadata of the flag service. */
export function SdkToggleRows({ toggles, href, control }: Props) {
  const [params, change] = useUrlParams();
  const types = useFeatureTypes();
  const filter = params.get('filter') ?? '';
  const settings = useMemo(() => ({ ...defaultSettings, filter }), [filter]);
  const shown = useToggleRows(toggles, settings, undefined);
  const setFilter = (text: string) =>
    change((current) => {
      if (text === '') current.delete('filter');
      else current.set('filter', text);
      return current;
    });
  const search = useSearch(filter, setFilter);
  const cells = useCallback(
    (toggle: Toggle) => (
      <GridCells
        columns={columns}
        row={{
          toggle,
          type: types.find(({ id }) => id === toggle.type)?.name ?? toggle.type,
          href: href(toggle.name),
          note: describeAudience(toggle),
          control: control(toggle),
        }}
      />
    ),
    [types, href, control],
  );
  return (
    <div className="grid gap-3 max-sm:gap-2.5">
      <search className="flex">
        <SearchField label="Filter toggles" placeholder="Filter by name, strategy…" shortcutHint="/" {...search} />
      </search>
      <p role="status" className="text-muted text-secondary tabular-nums empty:hidden">
        {shown.length < toggles.length && (
          <>
            <CountOf value={shown.length} total={toggles.length} /> shown
          </>
        )}
      </p>
      {shown.length === 0 ? (
        <NoMatches total={toggles.length} onClear={() => setFilter('')} />
      ) : (
        <Table
          columns={columns}
          phoneColumns={phoneColumns}
          label="Feature toggles"
          rows={shown}
          rowKey={({ name }) => name}
          rowHeight={toggleRowHeight}
        >
          {cells}
        </Table>
      )}
    </div>
  );
}
