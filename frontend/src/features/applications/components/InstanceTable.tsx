import type { Instance } from '@/api/generated/types';
import { Column } from '@/ui/Column';
import { PlainCell, PlainRow, PlainTable } from '@/ui/PlainTable';
import { Time } from '@/ui/Time';

export function InstanceTable({ instances }: { instances: readonly Instance[] }) {
  const latestFirst = [...instances].sort((a, b) => Date.parse(b.lastSeen) - Date.parse(a.lastSeen));
  return (
    <PlainTable
      label="Registered instances"
      columns={
        <>
          <Column className="w-1/3">Instance id</Column>
          <Column>SDK version</Column>
          <Column>Client IP</Column>
          <Column className="w-32">Last seen</Column>
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
