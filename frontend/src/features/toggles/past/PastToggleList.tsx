import { useCallback, useMemo } from 'react';
import type { Toggle } from '@/api/generated/types';
import { usePastReason } from '@/api/pastView';
import { useFeatureTypes } from '@/api/reads';
import type { RecordedState } from '@/api/recordedTypes';
import { PastPage } from '@/domain/past/PastPage';
import {
  CONTROL_CELL,
  metadataColumns,
  nameColumn,
  notedRowHeight,
  type ToggleRow,
} from '@/domain/toggles/ToggleCells';
import { defaultSettings } from '@/domain/toggles/toggleListSettings';
import { useToggleRows } from '@/domain/toggles/useToggleRows';
import { useSearch } from '@/lib/useSearch';
import { inPast, type PastView, paths, sections } from '@/paths';
import { LinkButton } from '@/shared/LinkButton';
import { useUrlParams } from '@/shared/useUrlParams';
import { Card } from '@/ui/Card';
import { CountOf } from '@/ui/Count';
import { EmptyState } from '@/ui/EmptyState';
import { GridCells, type GridColumn } from '@/ui/GridColumn';
import { OffIcon } from '@/ui/icons';
import { NoMatches } from '@/ui/NoMatches';
import { PageHeader } from '@/ui/PageHeader';
import { SearchField } from '@/ui/SearchField';
import { Switch } from '@/ui/Switch';
import { Table } from '@/ui/Table';
import { describeAudience } from '../list/describeAudience';

/** The toggle list at an earlier time. */
export function PastToggleList({ view }: { view: PastView }) {
  return (
    <PastPage
      view={view}
      header={(state) => (
        <PageHeader
          title={sections.toggles.label}
          count={state?.features.length}
          actions={<LinkButton to={inPast(paths.evaluation(), view)}>{sections.evaluation.label}</LinkButton>}
        />
      )}
    >
      {({ features }) => <Rows toggles={features} view={view} />}
    </PastPage>
  );
}

interface PastRow extends ToggleRow {
  readOnlyReason: string | undefined;
}

const columns: readonly GridColumn<Toggle, PastRow>[] = [
  {
    header: 'On',
    width: '48px',
    className: `${CONTROL_CELL} max-sm:col-start-2 max-sm:row-span-2 max-sm:row-start-1`,
    cell: ({ toggle, readOnlyReason }) => (
      <Switch label={toggle.name} checked={toggle.enabled} disabledReason={readOnlyReason} onChange={() => undefined} />
    ),
  },
  nameColumn,
  ...metadataColumns.filter(({ header }) => header === 'Type'),
];

const phoneColumns = '0 50px auto minmax(0,1fr) 0';

function Rows({ toggles, view }: { toggles: RecordedState['features']; view: PastView }) {
  const [params, change] = useUrlParams();
  const types = useFeatureTypes();
  const readOnlyReason = usePastReason();
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
          href: inPast(paths.toggle(toggle.name), view),
          note: describeAudience(toggle),
          readOnlyReason,
        }}
      />
    ),
    [types, view, readOnlyReason],
  );
  if (toggles.length === 0) {
    return (
      <Card>
        <EmptyState icon={<OffIcon size={22} />} title="No toggles at this time">
          SDKs that asked for toggles got an empty list.
        </EmptyState>
      </Card>
    );
  }
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
          rowHeight={notedRowHeight}
        >
          {cells}
        </Table>
      )}
    </div>
  );
}
