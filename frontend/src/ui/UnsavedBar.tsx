import type { ReactNode } from 'react';
import { BottomBar } from './BottomBar';
import { Button } from './Button';
import { Count } from './Count';
import { ReviewIcon } from './icons';

interface Props {
  /** Number of unsaved changes. The bar is shown unless it is 0. */
  count: number;
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
export function UnsavedBar({ count, saving, saveDisabledReason, onClear, onReview, onSave, children }: Props) {
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
          <div className="flex flex-wrap items-center justify-end gap-x-1.5 gap-y-1 max-sm:flex-1 sm:w-140">
            {saveDisabledReason !== undefined && (
              <p data-reason-note="" className="basis-full pt-1 text-secondary text-warn wrap-anywhere">
                {saveDisabledReason}
              </p>
            )}
            <p className="mr-auto flex items-center gap-2 whitespace-nowrap font-semibold text-secondary tabular-nums">
              <span aria-hidden="true" className="size-2 rounded-full bg-dirty" />
              <span>
                <Count value={count} /> unsaved<span className="max-sm:sr-only"> change{count > 1 && 's'}</span>
              </span>
            </p>
            {children}
            <Button variant="ghost" size="small" onClick={onClear}>
              Clear all
            </Button>
            <Button
              variant="ghost"
              size="small"
              aria-label="Review changes"
              icon={<ReviewIcon size={15} className="max-sm:hidden" />}
              onClick={onReview}
            >
              Review
            </Button>
            <Button variant="unsaved" size="small" busy={saving} disabledReason={saveDisabledReason} onClick={onSave}>
              Save all
            </Button>
          </div>
        </BottomBar>
      )}
    </>
  );
}
