import { describeConstraint } from '@/domain/strategies/describeConstraint';
import { paths, sections } from '@/paths';
import { EntityListPage } from '@/shared/EntityListPage';
import { TextLink } from '@/shared/TextLink';
import { type Column, textColumn } from '@/ui/Column';
import { Count } from '@/ui/Count';
import { EmptyState } from '@/ui/EmptyState';
import { SegmentIcon } from '@/ui/icons';
import { SegmentSupportBoundary, SegmentsUnsupported } from './SegmentSupportBoundary';
import { type EditedSegment, segmentResource } from './segments';

/** Number of values shown of each constraint. */
const MAX_VALUES = 3;

const columns: readonly Column<EditedSegment>[] = [
  textColumn('Name', ({ name }) => name, {
    width: '18%',
    cell: ({ id = 0, name }) => <TextLink to={paths.editSegment(id)}>{name}</TextLink>,
  }),
  textColumn('Description', ({ description }) => description, { width: '26%', className: 'text-muted' }),
  textColumn('Constraints', describeConstraints, {
    className: 'text-muted',
    cell: (segment) => describeConstraints(segment) || <span className="text-faint">none: matches everyone</span>,
  }),
  {
    header: 'Used by',
    width: '7rem',
    phoneLabel: 'Used by',
    cell: ({ usedInFeatures }) =>
      usedInFeatures ? <Count value={usedInFeatures} noun="toggle" /> : <span className="text-faint">no toggle</span>,
  },
];

function describeConstraints({ constraints }: EditedSegment): string {
  return constraints.map((constraint) => describeConstraint(constraint, MAX_VALUES)).join(' and ');
}

export function SegmentListPage() {
  return (
    <SegmentSupportBoundary title={sections.segments.label}>
      <SegmentList />
    </SegmentSupportBoundary>
  );
}

function SegmentList() {
  return (
    <EntityListPage
      resource={segmentResource}
      title={sections.segments.label}
      columns={columns}
      nameOf={({ name }) => name}
      create={{ to: paths.createSegment(), permission: 'CREATE_SEGMENT' }}
      edit={{ to: ({ id = 0 }) => paths.editSegment(id), permission: 'UPDATE_SEGMENT' }}
      remove={{
        permission: 'DELETE_SEGMENT',
        disabledReason: ({ usedInFeatures }) =>
          usedInFeatures ? 'Toggles use this segment. Remove it from their strategies first.' : undefined,
        describe: ({ name }) => ({ name, consequences: 'can no longer be selected in strategies.' }),
      }}
      empty={
        <EmptyState icon={<SegmentIcon size={20} />} title="No segments">
          A segment is a named list of constraints, such as your beta testers, that the strategies of several toggles
          share. Create a segment, then select it in a strategy.
        </EmptyState>
      }
      unsupported={<SegmentsUnsupported />}
    />
  );
}
