import { Fragment, useState } from 'react';
import type { Constraint } from '@/api/generated/types';
import {
  describeConstraintOptions,
  getConstraintValues,
  getOperatorLabel,
} from '@/domain/strategies/describeConstraint';
import { lacksValues } from '@/domain/strategies/lacksValues';
import { andMore } from '@/lib/text';
import { Chip } from '@/ui/Chip';

/** Number of values shown before "and n more". */
const MAX_VALUES = 5;

interface Props {
  constraint: Constraint;
  /** Whether a button shows all values. */
  isExpandable?: boolean;
}

/** A constraint as a sentence with its values as chips. Values beyond the first ones are counted. */
export function ConstraintSentence({ constraint, isExpandable = false }: Props) {
  const [isExpanded, setExpanded] = useState(false);
  const values = getConstraintValues(constraint);
  const more = andMore(values, MAX_VALUES);
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-1.5 text-secondary">
      {/* The spaces separate the words for assistive technology. */}
      <span className="wrap-anywhere min-w-0 font-semibold">{constraint.contextName}</span>{' '}
      <span className="text-muted">{getOperatorLabel(constraint)}</span>{' '}
      {(isExpanded ? values : values.slice(0, MAX_VALUES)).map((value) => (
        <Fragment key={value}>
          <span title={value} className="flex min-w-0 max-w-full">
            <Chip>{value}</Chip>
          </span>{' '}
        </Fragment>
      ))}
      {lacksValues(constraint) && <Chip tone="warn">no values</Chip>}
      {describeConstraintOptions(constraint).map((option) => (
        <span key={option} className="text-muted">
          ({option}){' '}
        </span>
      ))}
      {more && !isExpandable && <span className="text-muted">{more}</span>}
      {more && isExpandable && (
        <button
          type="button"
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
          className="relative rounded-chip p-1 font-semibold text-accent text-label touch:after:absolute touch:after:-inset-2.5"
        >
          {isExpanded ? 'Show fewer' : more}
        </button>
      )}
    </span>
  );
}
