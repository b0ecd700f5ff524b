import { Fragment, useState } from 'react';
import type { Constraint } from '@/api/generated/types';
import { cx } from '@/lib/cx';
import { andMore } from '@/lib/text';
import { describeConstraintOptions, getComparison, getConstraintValues } from './describeConstraint';
import { lacksValues } from './lacksValues';
import { tokenClass } from './tokenClass';

/** Number of values shown before "and n more". */
const MAX_VALUES = 5;

interface Props {
  constraint: Constraint;
  /** Whether a button shows all values. */
  isExpandable?: boolean;
  /** The constraint is new or edited. */
  isChanged?: boolean;
  /** The constraint is not stored: it may lack values until the user leaves its editor. */
  isDraft?: boolean;
  /** Shows words without a border, which would look like controls. */
  isPlain?: boolean;
}

/** A constraint as a sentence with its field and values as tokens. Values beyond the first ones are counted. */
export function ConstraintSentence({
  constraint,
  isExpandable = false,
  isChanged = false,
  isDraft = isChanged,
  isPlain = false,
}: Props) {
  const [isExpanded, setExpanded] = useState(false);
  const values = getConstraintValues(constraint);
  const more = andMore(values, MAX_VALUES);
  const token = isPlain ? cx('font-semibold', isChanged && 'text-dirty') : tokenClass(isChanged);
  const shown = isExpanded ? values : values.slice(0, MAX_VALUES);
  return (
    <span className="wrap-anywhere">
      {/* The spaces separate the words for assistive technology. */}
      <span className={token}>{constraint.contextName || 'a field'}</span> <span>{getComparison(constraint)}</span>
      {shown.map((value, index) => (
        <Fragment key={value}>
          {' '}
          <span data-tip={value} className={token}>
            {value}
          </span>
          {isPlain && index < shown.length - 1 && ','}
        </Fragment>
      ))}
      {lacksValues(constraint) && constraint.contextName !== '' && (
        <>
          {' '}
          {isDraft ? (
            <span className={token}>…</span>
          ) : (
            <span className="rounded-chip bg-warn-soft px-2 font-semibold text-secondary text-warn">no values</span>
          )}
        </>
      )}
      {lacksValues(constraint) && constraint.contextName === '' && ' …'}
      {describeConstraintOptions(constraint).map((option) => (
        <span key={option} className="text-muted">
          {' '}
          ({option})
        </span>
      ))}
      {more && ' '}
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
