import type { Instance } from '@/api/generated/types';
import { ColumnHeader } from '@/ui/ColumnHeader';
import { PlainCell, PlainRow, PlainTable } from '@/ui/PlainTable';
import { Time } from '@/ui/Time';

export function InstanceTable({ instances }: { instances: readonly Instance[] }) {
  const latestFirst = [...instances].sort((a, b) => Date.parse(b.lastSeen) - Date.parse(a.lastSeen));
  return (
    <PlainTable
      label="Registered instances"
      columns={
        <>
          <ColumnHeader className="w-1/3">Instance id</ColumnHeader>
          <ColumnHeader>SDK version</ColumnHeader>
          <ColumnHeader>Client IP</ColumnHeader>
          <ColumnHeader className="w-32">Last seen</ColumnHeader>
        </>
      }
      rows={latestFirst}
    >
      {({ instanceId, sdkVersion, clientIp, lastSeen }) => (
        <PlainRow key={instanceId} heading={instanceId}>
          <PlainCell className="text-muted">{sdkVersion}</PlainCell>
          <PlainCell className="text-muted tabular-nums">{clientIp}</PlainCell>
          <PlainCell className="text-muted">
            <span className="sm:hidden">Last seen </span>
            <Time value={lastSeen} />
          </PlainCell>
        </PlainRow>
      )}
    </PlainTable>
  );
}
