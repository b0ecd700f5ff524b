import { Fragment } from 'react';
import type { Constraint } from '@/api/generated/types';
import { describeMissingValues } from '@/domain/strategies/describeConstraint';
import { ConstraintVerdict } from '../lab/ConstraintVerdict';
import { ConstraintSentence } from './ConstraintSentence';

/** Read-only constraints of a strategy, all of which must match. */
export function ConstraintList({ constraints }: { constraints: readonly Constraint[] }) {
  return (
    <div className="grid gap-1">
      {constraints.map((constraint, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: constraints have no name, may be alike, and never move.
        <Fragment key={index}>
          {index > 0 && <AndWord />}
          <ConstraintSentence constraint={constraint} isExpandable />
          <MissingValuesWarning constraint={constraint} />
          <ConstraintVerdict constraint={constraint} index={index} />
        </Fragment>
      ))}
    </div>
  );
}

/** Separator of two constraints, both of which must match. */
export function AndWord() {
  return <p className="font-semibold text-faint text-label">AND</p>;
}

function MissingValuesWarning({ constraint }: { constraint: Constraint }) {
  const warning = describeMissingValues(constraint);
  return warning && <p className="text-secondary text-warn">{warning}</p>;
}
