// Lists, reviews, saves and discards the unsaved changes of strategies, and asks before they are left.
import { type ReactNode, useState } from 'react';
import type { StrategyDefinition, Toggle } from '@/api/generated/types';
import type { ChangeGroup } from '@/domain/changes/describeChanges';
import { EffectChip } from '@/domain/impact/EffectChip';
import { type Effect, getEffect } from '@/domain/impact/effect';
import type { Impact } from '@/domain/impact/estimateImpact';
import { toJson } from '@/lib/copyFormats';
import { cx } from '@/lib/cx';
import { isCommandKey, useDocumentKeys } from '@/lib/keyboard';
import { isOverlayOpen } from '@/lib/overlays';
import { useLeaveGuard } from '@/lib/useLeaveGuard';
import { copyAndNotify } from '@/shared/copyAndNotify';
import { BottomBar } from '@/ui/BottomBar';
import { Button } from '@/ui/Button';
import { Count } from '@/ui/Count';
import { JsonIcon, ReviewIcon } from '@/ui/icons';
import { lazyDialog } from '@/ui/lazy';
import { findInvalidStrategy } from './findInvalidStrategy';
import type { useActivation } from './useActivation';

const ReviewDialog = lazyDialog(() => import('./ReviewDialog'), 'ReviewDialog');

interface Props {
  activation: ReturnType<typeof useActivation>;
  definitions: readonly StrategyDefinition[] | undefined;
  before: Toggle;
  after: Toggle;
  changes: readonly ChangeGroup[];
  impact: Impact;
  onSave: (keys: readonly number[]) => Promise<boolean>;
  /** Reason why nothing can be saved now. */
  blockedReason: string | undefined;
}

/** The bar that saves, reviews and discards all unsaved changes, and the question before they are left. */
export function UnsavedChanges({ activation, definitions, blockedReason, onSave, ...reviewed }: Props) {
  const { dirty, saving } = activation;
  const [isReviewing, setReviewing] = useState(false);
  const saveDisabledReason = blockedReason ?? findInvalidStrategy(activation.drafts, definitions);
  const [hasTried, setTried] = useState(false);
  const effect = getEffect(reviewed.before, reviewed.after);
  const save = () => onSave(dirty);
  useLeaveGuard(dirty.length > 0, { save, saveDisabledReason });
  useDocumentKeys((event) => {
    if (!isCommandKey(event, 's')) return;
    // Never the browser's dialog that saves the page as a file.
    event.preventDefault();
    if (dirty.length === 0 || saving || (isOverlayOpen() && !isReviewing)) return;
    if (saveDisabledReason !== undefined) return setTried(true);
    setReviewing(false);
    void save();
  });
  return (
    <>
      <UnsavedBar
        count={dirty.length === 0 ? 0 : Math.max(1, countChanges(reviewed.changes))}
        changes={reviewed.changes}
        effect={effect}
        hasTried={hasTried}
        saving={saving}
        saveDisabledReason={saveDisabledReason}
        onClear={activation.discardAll}
        onReview={() => setReviewing(true)}
        onSave={() => void save()}
      >
        {blockedReason !== undefined && (
          <Button
            variant="ghost"
            size="small"
            icon={<JsonIcon size={15} />}
            onClick={() => void copyAndNotify(toJson(reviewed.after))}
          >
            Copy as JSON
          </Button>
        )}
      </UnsavedBar>
      <ReviewDialog
        {...reviewed}
        effect={effect}
        open={isReviewing}
        saveDisabledReason={saveDisabledReason}
        onSave={() => {
          setReviewing(false);
          void save();
        }}
        onClose={() => setReviewing(false)}
      />
    </>
  );
}

function countChanges(groups: readonly ChangeGroup[]): number {
  return groups.reduce((sum, { changes }) => sum + changes.length, 0);
}

interface UnsavedBarProps {
  /** Number of unsaved changes. The bar is shown unless it is 0. */
  count: number;
  changes: readonly ChangeGroup[];
  effect: Effect;
  /** The user has tried to save, so that the reason is shown. */
  hasTried: boolean;
  saving: boolean;
  /** Reason why the changes cannot be saved now. */
  saveDisabledReason: string | undefined;
  onClear: () => void;
  onReview: () => void;
  onSave: () => void;
  /** Further buttons. */
  children?: ReactNode;
}

/** Bar with the number of unsaved changes on the page, and the buttons that review, save and discard all of them. */
function UnsavedBar(props: UnsavedBarProps) {
  const { count, changes, effect, hasTried, saving, saveDisabledReason, onClear, onReview, onSave, children } = props;
  const text = <Count value={count} noun="unsaved change" />;
  return (
    <>
      {/* Always on the page: screen readers do not announce a live region that appears together with its text. */}
      <span role="status" className="sr-only">
        {count > 0 && text}
      </span>
      {count > 0 && (
        <BottomBar aria-label="Unsaved changes">
          {/* The constant width keeps the buttons in place when the text changes. */}
          <div className="flex flex-wrap items-center justify-end gap-x-1.5 gap-y-1 max-sm:flex-1 sm:w-180 sm:max-w-full xl:w-220">
            {saveDisabledReason !== undefined && (
              <p data-reason-note={hasTried ? 'tried' : ''} className={REASON}>
                {saveDisabledReason}
              </p>
            )}
            <p className="flex shrink-0 items-center gap-2 whitespace-nowrap font-semibold text-secondary tabular-nums max-sm:mr-auto">
              <span aria-hidden="true" className="size-2 rounded-full bg-dirty forced-color-adjust-none" />
              <span>
                <Count value={count} /> unsaved<span className="max-sm:sr-only"> change{count > 1 && 's'}</span>
              </span>
            </p>
            <PendingChanges count={count} changes={changes} effect={effect} />
            {children}
            {/* The bar contains everything about one change. */}
            {count > 1 && (
              <Button
                variant="bar"
                size="small"
                aria-label="Review changes"
                icon={<ReviewIcon size={15} className="max-sm:hidden" />}
                onClick={onReview}
              >
                Review
              </Button>
            )}
            <Button variant="bar" size="small" onClick={onClear}>
              Clear all
            </Button>
            <Button
              variant="unsaved"
              size="small"
              aria-keyshortcuts="Control+S Meta+S"
              busy={saving}
              disabledReason={saveDisabledReason}
              onClick={onSave}
              className={SHORTCUT}
            >
              Save all
            </Button>
          </div>
        </BottomBar>
      )}
    </>
  );
}

const REASON = 'basis-full pt-1 text-secondary text-warn wrap-anywhere';
/** The keys are decoration: `aria-keyshortcuts` contains them. */
const SHORTCUT =
  "after:rounded-[4px] after:border after:border-current/40 after:px-1 after:text-label after:leading-4 after:content-['Ctrl_S'/''] touch:after:hidden max-sm:after:hidden";

/** The unsaved changes and their effect in one line, from which the review opens the complete text. */
function PendingChanges({ count, changes, effect }: Pick<UnsavedBarProps, 'count' | 'changes' | 'effect'>) {
  const text = changes.map(({ subject, changes: words }) => `${subject}: ${words.join(', ')}`).join(' · ');
  return (
    <section
      aria-label="Pending changes"
      className={cx(
        'flex min-w-0 items-center gap-2 text-muted text-secondary sm:flex-1',
        // On phones, the row of the strategy shows the change, and the buttons need the space.
        count > 1 && 'max-sm:sr-only',
      )}
    >
      <span className="shrink-0">
        <EffectChip effect={effect} isShort />
      </span>
      <span className="min-w-0 truncate max-sm:sr-only">{text}</span>
    </section>
  );
}
