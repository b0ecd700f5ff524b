// Reads and writes of segments, and the rules of their form.
import { createSegment, deleteSegment, segment, segments, updateSegment, validateSegment } from '@/api/endpoints';
import type { Constraint, ListedSegment, SegmentDraft } from '@/api/generated/types';
import { editableResource } from '@/api/resource';
import { validateConstraint } from '@/domain/strategies/constraints';
import type { EntityForm } from '@/shared/entity';

/** A stored segment, or a new one without an id. */
export type EditedSegment = SegmentDraft & Partial<ListedSegment>;

export const segmentResource = editableResource({
  noun: 'segment',
  list: segments,
  items: (data): readonly EditedSegment[] => data.segments,
  // Items of the list have an id.
  withItems: (data, items) => ({ ...data, segments: items as ListedSegment[] }),
  id: ({ id = 0 }) => id,
  one: (id) => segment(Number(id)),
  create: createSegment,
  update: ({ id = 0 }) => updateSegment(id),
  toBody: toDraft,
  remove: ({ id = 0 }) => deleteSegment(id),
  nameInNotices: ({ name }) => name,
});

export interface SegmentInput {
  name: string;
  description: string;
  constraints: readonly Constraint[];
}

export const segmentForm: EntityForm<EditedSegment, SegmentInput> = {
  toInput: (stored) => ({
    name: stored?.name ?? '',
    description: stored?.description ?? '',
    constraints: stored?.constraints ?? [],
  }),
  toItem: ({ name, description, constraints }) => ({
    name: name.trim(),
    description: description.trim(),
    constraints: [...constraints],
  }),
  validate: ({ name, constraints }) => ({
    name: name.trim() === '' ? 'Enter a name.' : undefined,
    constraints: findConstraintError(constraints),
  }),
  checkId: (check) => check('name', validateSegment),
  conflictField: 'name',
};

export const segmentLabels = { name: 'Name', description: 'Description', constraints: 'Constraints' };

/** Returns the properties that an edit can change, with those that servers omit. */
export function toDraft({ name, description, constraints }: EditedSegment): SegmentDraft {
  return { name, description: description ?? '', constraints };
}

/** Without constraints, a segment matches everyone. */
function findConstraintError(constraints: readonly Constraint[]): string | undefined {
  if (constraints.length === 0) return 'Add a constraint: without one, everyone is in the segment.';
  const at = constraints.findIndex((one) => validateConstraint(one) !== undefined);
  const problem = constraints[at] && validateConstraint(constraints[at]);
  return problem && `Constraint ${at + 1}: ${problem}`;
}
