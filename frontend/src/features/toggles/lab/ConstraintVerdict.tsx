import type { Constraint, ConstraintReason } from '@/api/generated/types';
import { describeConstraintReason } from '@/domain/evaluation/describeReason';
import { cx } from '@/lib/cx';
import { CheckIcon, CrossIcon } from '@/ui/icons';
import { useStrategyReasons } from './reasons';

interface Props {
  constraint: Constraint;
  /** Its index in the strategy. */
  index: number;
}

/** Outcome of a constraint for the context of the panel. Without a result, it is empty. */
export function ConstraintVerdict({ constraint, index }: Props) {
  const { saved, edited } = useStrategyReasons();
  const reason = (edited ?? saved)?.constraints[index];
  // The result of another constraint is out of date.
  return reason?.field === constraint.contextName ? <ConstraintOutcome reason={reason} /> : null;
}

interface OutcomeProps {
  reason: ConstraintReason;
}

function ConstraintOutcome({ reason }: OutcomeProps) {
  return <Outcome matches={reason.matches}>{describeConstraintReason(reason)}</Outcome>;
}

/** Outcomes of the segments of a strategy, each with its constraints. */
export function SegmentVerdicts() {
  const { saved, edited } = useStrategyReasons();
  const segments = (edited ?? saved)?.segments ?? [];
  if (segments.length === 0) return null;
  return (
    <ul className="grid gap-1">
      {segments.map(({ id, name = id, missing, matches, constraints }) => (
        <li key={id} className="grid gap-1">
          <Outcome matches={matches}>{missing ? `segment ${name} does not exist` : `segment ${name}`}</Outcome>
          <div className="grid gap-1 pl-5">
            {constraints.map((reason, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: constraints have no name, may be alike, and never move.
              <ConstraintOutcome key={index} reason={reason} />
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Whether a condition matches, as colour, icon and text. */
function Outcome({ matches, children }: { matches: boolean; children: string }) {
  const Icon = matches ? CheckIcon : CrossIcon;
  return (
    <p className={cx('flex min-w-0 items-start gap-1.5 text-secondary', matches ? 'text-on' : 'text-muted')}>
      <Icon size={14} className="mt-0.5 shrink-0" />
      <span className="wrap-anywhere min-w-0">
        <b className="font-semibold">{matches ? 'Matches' : 'Does not match'}:</b> {children}
      </span>
    </p>
  );
}
