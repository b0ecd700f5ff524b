// Pages that create and edit a segment.
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { context, segmentUses } from '@/api/endpoints';
import type { Constraint, SegmentUse } from '@/api/generated/types';
import { useAnnouncedRead, useRead } from '@/api/useRead';
import { AddConstraintMenu } from '@/domain/strategies/AddConstraintMenu';
import { ConstraintsEditor, showNewConstraint } from '@/domain/strategies/ConstraintsEditor';
import { ScheduleDialog } from '@/domain/strategies/ScheduleDialog';
import { setSchedule } from '@/domain/strategies/schedule';
import { useSchedule } from '@/domain/strategies/useSchedule';
import { cx } from '@/lib/cx';
import { paths, sections } from '@/paths';
import { CreateForm, EditForm } from '@/shared/EntityForms';
import type { EditableEntity, FieldsProps } from '@/shared/entity';
import { FormPage } from '@/shared/FormPage';
import { TextLink } from '@/shared/TextLink';
import { bindFields } from '@/shared/useForm';
import { useRouteParams } from '@/shared/useRouteParams';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { fieldLabelClass } from '@/ui/fieldClass';
import { AddIcon } from '@/ui/icons';
import { TextArea } from '@/ui/TextArea';
import { TextField } from '@/ui/TextField';
import { useShowMore } from '@/ui/useShowMore';
import { SegmentSupportBoundary } from './SegmentSupportBoundary';
import {
  type EditedSegment,
  type SegmentInput,
  segmentForm,
  segmentLabels,
  segmentResource,
  toDraft,
} from './segments';

const NEW = 'New segment';

const segmentEntity: EditableEntity<EditedSegment, SegmentInput> = {
  resource: segmentResource,
  section: sections.segments,
  createPermission: 'CREATE_SEGMENT',
  updatePermission: 'UPDATE_SEGMENT',
  form: segmentForm,
  labels: segmentLabels,
  // Counts of uses and times change without an edit.
  complete: ({ id, ...segment }) => ({ ...(id !== undefined && { id }), ...toDraft(segment) }),
  Fields: SegmentFields,
};

export function SegmentCreatePage() {
  return (
    <SegmentSupportBoundary title={NEW} within={sections.segments}>
      <FormPage title={NEW} within={sections.segments}>
        <CreateForm entity={segmentEntity} />
      </FormPage>
    </SegmentSupportBoundary>
  );
}

export function SegmentEditPage() {
  const { id = '' } = useRouteParams();
  return (
    <SegmentSupportBoundary title={`Edit ${id}`} within={sections.segments}>
      <SegmentEdit id={id} />
    </SegmentSupportBoundary>
  );
}

function SegmentEdit({ id }: { id: string }) {
  const stored = segmentResource.useList().items?.find((item) => String(item.id) === id);
  return (
    <FormPage title={`Edit ${stored?.name ?? id}`} within={sections.segments}>
      <EditForm entity={segmentEntity} id={id} />
      {stored && <Usage id={Number(id)} />}
    </FormPage>
  );
}

function SegmentFields({ isExisting, onCheckId, ...fields }: FieldsProps<SegmentInput>) {
  const bind = bindFields(fields);
  return (
    <Card>
      <div className="grid gap-4">
        <TextField
          label="Name"
          required
          autoComplete="off"
          placeholder="beta-users"
          {...bind('name')}
          {...(!isExisting && { onBlur: onCheckId })}
        />
        <TextArea label="Description" rows={2} {...bind('description')} />
        <ConstraintFields {...fields} />
      </div>
    </Card>
  );
}

function ConstraintFields({ input, errors, onChange }: Omit<FieldsProps<SegmentInput>, 'isExisting'>) {
  const fields = useAnnouncedRead(context).data;
  const { constraints } = input;
  const set = (next: SegmentInput['constraints']) => onChange({ ...input, constraints: next });

  const schedule = useSchedule(constraints, (next) => set(setSchedule(constraints, next)));
  const group = useRef<HTMLFieldSetElement>(null);

  function add(constraint: Constraint) {
    flushSync(() => set([...constraints, constraint]));
    showNewConstraint(group.current, constraints.length + 1, constraint);
  }

  return (
    <fieldset ref={group} className="grid min-w-0 gap-2">
      <legend className={cx(fieldLabelClass, 'mb-1')}>Constraints</legend>
      <p className="text-muted text-secondary">Users are in the segment if all constraints match.</p>
      <ConstraintsEditor
        constraints={constraints}
        fields={fields}
        onChange={set}
        onRemove={(index) => set(constraints.filter((_, at) => at !== index))}
      />
      <AddConstraintMenu
        icon={<AddIcon />}
        className="justify-self-start"
        fields={fields}
        used={constraints.map(({ contextName }) => contextName)}
        onAdd={add}
        onSchedule={schedule.ask}
      />
      <ScheduleDialog prompt={schedule.prompt} />
      {errors.constraints && (
        <p role="alert" className="text-danger text-secondary">
          {errors.constraints}
        </p>
      )}
    </fieldset>
  );
}

/** The toggles that an edit of the segment affects. */
function Usage({ id }: { id: number }) {
  const { data, error, reload } = useRead(segmentUses(id));
  return (
    <section aria-label="Toggles that use this segment" className="mt-6 max-w-180">
      <Card>
        <h2 className="mb-2 font-semibold text-section">Used by</h2>
        {!data && !error && <p className="text-muted">Loading toggles…</p>}
        {!data && error && (
          <p className="text-muted">
            The toggles that use this segment could not be loaded. {error.message}{' '}
            <Button size="small" onClick={reload}>
              Try again
            </Button>
          </p>
        )}
        {data && <ToggleLinks uses={data.strategies} />}
      </Card>
    </section>
  );
}

function ToggleLinks({ uses }: { uses: readonly SegmentUse[] }) {
  const names = [...new Set(uses.map(({ featureName }) => featureName))];
  const { shown, showMore } = useShowMore(names);
  if (names.length === 0) return <p className="text-muted">No toggle uses this segment.</p>;
  return (
    <>
      <p className="mb-2 text-muted text-secondary">
        A change of this segment applies to all of these toggles at once.
      </p>
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {shown.map((name) => (
          <li key={name} className="min-w-0">
            <TextLink to={paths.toggle(name)}>{name}</TextLink>
          </li>
        ))}
        {showMore && <li>{showMore}</li>}
      </ul>
    </>
  );
}
