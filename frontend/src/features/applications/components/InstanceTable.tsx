import type { Instance } from '@/api/generated/types';
import type { Column } from '@/ui/Column';
import { PlainTable } from '@/ui/PlainTable';
import { Time } from '@/ui/Time';
import { apisOf, CLIENT_API_LABELS } from '../clientApis';

const apiColumn: Column<Instance> = {
  header: 'API',
  width: '9rem',
  className: 'text-muted',
  cell: ({ api }) => api && CLIENT_API_LABELS[api],
};

const columnsWith = (more: readonly Column<Instance>[]): readonly Column<Instance>[] => [
  { header: 'Instance id', width: '33.3333%', cell: ({ instanceId }) => instanceId },
  { header: 'SDK version', className: 'text-muted', cell: ({ sdkVersion }) => sdkVersion },
  ...more,
  { header: 'Client IP', className: 'text-muted tabular-nums', cell: ({ clientIp }) => clientIp },
  {
    header: 'Last seen',
    width: '8rem',
    className: 'text-muted',
    phoneLabel: 'Last seen',
    cell: ({ lastSeen }) => <Time value={lastSeen} />,
  },
];

export function InstanceTable({ instances }: { instances: readonly Instance[] }) {
  const latestFirst = [...instances].sort((a, b) => Date.parse(b.lastSeen) - Date.parse(a.lastSeen));
  return (
    <PlainTable
      label="Registered instances"
      columns={columnsWith(apisOf(instances).length > 0 ? [apiColumn] : [])}
      rows={latestFirst}
      rowKey={({ instanceId }) => instanceId}
    />
  );
}
