import { useCapabilities } from '@/api/capabilities';
import type { Strategy, StrategyReason } from '@/api/generated/types';
import { findNearestMiss } from '@/domain/evaluation/nearestMiss';
import { cx } from '@/lib/cx';
import { useLocale } from '@/lib/locale';
import { CheckIcon, CrossIcon } from '@/ui/icons';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { RolloutScale } from './RolloutScale';
import { type EvaluatedVersion, findReason, type StrategyKey } from './reasons';
import { type ExplainedCondition, explainStrategy, type Remedy } from './remedies';

/** Edits the strategy with this key. */
export type OnRemedy = (key: StrategyKey, remedy: Remedy) => void;

interface Props {
  /** The version with the reasons, and with unsaved edits the stored one. */
  version: EvaluatedVersion;
  saved: EvaluatedVersion | undefined;
  /** The strategies of the toggle now, and their keys. Only their reasons are shown. */
  strategies: readonly Strategy[];
  keys: readonly StrategyKey[];
  /** Undefined if the strategies are read-only. */
  onRemedy: OnRemedy | undefined;
}

/** The conditions of each strategy, the place of the id on the scale of a rollout, and edits that make it match. */
export function Reasons({ version, saved, strategies, keys, onRemedy }: Props) {
  const canEnable = useCapabilities().editsStrategyTitles;
  const locale = useLocale();
  const reasons = version.result.reasons?.strategies ?? [];
  const hasEdits = saved !== undefined;
  const isMissed = version.result.reasons?.decision === 'noStrategyMatches';
  // The nearest one is marked.
  const nearest = isMissed && reasons.length > 1 ? findNearestMiss(reasons) : undefined;
  return (
    <ol aria-label="Reasons" className="grid gap-2.5">
      {keys.map((key, index) => {
        const explained = findReason(version, key);
        // The reason of another strategy, which this one replaces since then.
        if (!explained || explained.reason.name !== strategies[index]?.name) return null;
        const { strategy, reason } = explained;
        const conditions = explainStrategy(strategy, reason, { canEnable, locale });
        const { rule } = reason;
        return (
          <li key={key} className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-2">
            <span className="grid size-5 place-items-center rounded-full bg-sunken font-semibold text-label text-muted forced-colors:border">
              <VisuallyHidden>Strategy </VisuallyHidden>
              {index + 1}
            </span>
            <div className="grid min-w-0 gap-1">
              {nearest !== undefined && key === version.keys[nearest] && (
                <p className="font-semibold text-secondary">Nearest miss</p>
              )}
              {rule.code === 'bucket' && !reason.disabled && (
                <RolloutScale
                  value={rule.value}
                  bucket={rule.bucket}
                  saved={hasEdits ? getPercentage(findReason(saved, key)?.reason) : rule.percentage}
                  edited={hasEdits ? rule.percentage : undefined}
                />
              )}
              {conditions.map((condition, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: conditions may be alike.
                <ConditionLine key={at} {...condition} onRemedy={onRemedy && ((remedy) => onRemedy(key, remedy))} />
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

type LineProps = ExplainedCondition & { onRemedy?: ((remedy: Remedy) => void) | undefined };

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
              onClick={() => onRemedy(remedy)}
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
