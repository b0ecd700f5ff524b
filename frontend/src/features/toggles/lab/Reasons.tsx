import { useCapabilities } from '@/api/capabilities';
import type { StrategyReason } from '@/api/generated/types';
import type { NewerToggle } from '@/api/newerTypes';
import { findNearestMiss } from '@/domain/evaluation/nearestMiss';
import { cx } from '@/lib/cx';
import { useLocale } from '@/lib/locale';
import { CheckIcon, CrossIcon } from '@/ui/icons';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { RolloutScale } from './RolloutScale';
import { type ExplainedCondition, explainStrategy, type Remedy } from './remedies';

interface Props {
  toggle: NewerToggle;
  reasons: readonly StrategyReason[];
  /** Returns the stored version of a strategy's reason; undefined for a new strategy. */
  savedReason: (index: number) => StrategyReason | undefined;
  hasEdits: boolean;
  /** No strategy matches, so that the nearest one is marked. */
  isMissed: boolean;
  /** Edits the strategies. Undefined if they are read-only. */
  onRemedy: ((remedy: Remedy) => void) | undefined;
}

/** The conditions of each strategy, the place of the id on the scale of a rollout, and edits that make it match. */
export function Reasons({ toggle, reasons, savedReason, hasEdits, isMissed, onRemedy }: Props) {
  const canEnable = useCapabilities().editsStrategyTitles;
  const locale = useLocale();
  const nearest = isMissed && reasons.length > 1 ? findNearestMiss(reasons) : undefined;
  return (
    <ol aria-label="Reasons" className="grid gap-2.5">
      {reasons.map((reason, index) => {
        const strategy = toggle.strategies[index];
        if (strategy?.name !== reason.name) return null;
        const conditions = explainStrategy(strategy, reason, { index, canEnable, locale });
        const { rule } = reason;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: strategies have no name of their own.
          <li key={index} className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-2">
            <span className="grid size-5 place-items-center rounded-full bg-sunken font-semibold text-label text-muted forced-colors:border">
              <VisuallyHidden>Strategy </VisuallyHidden>
              {index + 1}
            </span>
            <div className="grid min-w-0 gap-1">
              {nearest === index && <p className="font-semibold text-secondary">Nearest miss</p>}
              {rule.code === 'bucket' && !reason.disabled && (
                <RolloutScale
                  value={rule.value}
                  bucket={rule.bucket}
                  saved={hasEdits ? getPercentage(savedReason(index)) : rule.percentage}
                  edited={hasEdits ? rule.percentage : undefined}
                />
              )}
              {conditions.map((condition, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: conditions may be alike.
                <ConditionLine key={at} {...condition} onRemedy={onRemedy} />
              ))}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function getPercentage(reason: StrategyReason | undefined): number | undefined {
  return reason?.rule.code === 'bucket' ? reason.rule.percentage : undefined;
}

type LineProps = ExplainedCondition & Partial<Pick<Props, 'onRemedy'>>;

function ConditionLine({ matches, text, required, remedy, source, onRemedy }: LineProps) {
  const Icon = matches ? CheckIcon : CrossIcon;
  return (
    <div className="flex min-w-0 items-start gap-1.5 text-secondary">
      <Icon size={14} className={cx('mt-0.5 shrink-0', matches ? 'text-on' : 'text-danger')} />
      <div className="wrap-anywhere min-w-0 text-muted">
        <VisuallyHidden>{matches ? 'Matches: ' : 'Does not match: '}</VisuallyHidden>
        {text}
        {required && `; required: ${required}`}
        {remedy && onRemedy && (
          <>
            {' '}
            <button
              type="button"
              onClick={({ currentTarget }) => {
                // The button disappears with its reason.
                currentTarget.closest<HTMLElement>('[data-verdict]')?.focus({ preventScroll: true });
                onRemedy(remedy);
              }}
              className="relative whitespace-nowrap rounded-chip font-semibold text-accent hover:underline touch:after:absolute touch:after:-inset-3"
            >
              {remedy.label}
            </button>
          </>
        )}
        {source.kind === 'segment' &&
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions may be alike.
          source.conditions.map((condition, at) => <ConditionLine key={at} {...condition} />)}
      </div>
    </div>
  );
}
