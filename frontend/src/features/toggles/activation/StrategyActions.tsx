import { type RefObject, useRef } from 'react';
import { usePermission } from '@/api/permissions';
import { toJson } from '@/lib/copyFormats';
import { cx } from '@/lib/cx';
import { useRequestedFocus } from '@/lib/requestedFocus';
import { useRestoreFocus } from '@/lib/restoreFocus';
import { copyAndNotify } from '@/shared/copyAndNotify';
import { atHandClass } from '@/ui/atHand';
import { Button } from '@/ui/Button';
import { buttonClass } from '@/ui/buttonClass';
import { IconButton } from '@/ui/IconButton';
import { ChevronUpIcon, DiscardIcon, EditIcon, JsonIcon, MoreIcon, RemoveIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import { type EditedStrategy, isDirty } from './strategyDrafts';

export interface StrategyActionsProps {
  draft: EditedStrategy;
  /** Label of the strategy, unique within the toggle. */
  label: string;
  /** Reason why the strategy can neither be saved nor removed. */
  blockedReason: string | undefined;
  /** Undefined in a form, which saves all strategies. */
  onSave?: (() => void) | undefined;
  onDiscard: () => void;
  onRemove: () => void;
}

interface Props extends StrategyActionsProps {
  isOpen: boolean;
  onOpenChange: (key: number, isOpen: boolean) => void;
  saveDisabledReason: string | undefined;
}

/** End of a row: Save while there is something to save, and the other actions. */
export function StrategyActions(props: Props) {
  const { draft, label, blockedReason, saveDisabledReason, isOpen } = props;
  const { onSave, onDiscard, onRemove, onOpenChange } = props;
  const dirty = isDirty(draft) && onSave !== undefined;
  const edit = useRequestedFocus<HTMLButtonElement>('edit');
  const menu = useRef<HTMLButtonElement>(null);
  const removalReason = usePermission('DELETE_FEATURE_STRATEGY');
  return (
    <header
      className={cx(
        'flex min-w-0 items-center gap-x-1 text-muted text-secondary sm:col-start-3 sm:row-span-2 sm:row-start-1 sm:self-start',
        // On phones beside the name, or in a line of its own.
        onSave && (dirty || isOpen) ? 'max-sm:col-start-2 max-sm:col-end-4' : 'max-sm:col-start-3',
      )}
    >
      {onSave && (dirty || isOpen) && (
        // The space is reserved while the strategy is open, so that the first edit moves nothing.
        <span className="mr-2 flex items-center gap-x-3 max-sm:flex-1">
          <span className="min-w-14 font-semibold text-dirty text-label">{dirty && 'Unsaved'}</span>
          <span className="grid *:[grid-area:1/1]">
            <span aria-hidden="true" className={cx(buttonClass({ size: 'small' }), 'invisible')}>
              Save
            </span>
            {dirty && (
              <SaveButton
                label={label}
                busy={draft.submitted !== undefined}
                disabledReason={saveDisabledReason}
                onClick={onSave}
                menu={menu}
              />
            )}
          </span>
        </span>
      )}
      <span className={cx('flex items-center gap-x-1 max-sm:ml-auto', !dirty && !isOpen && atHandClass)}>
        <IconButton
          ref={edit}
          label={isOpen ? `Fields of ${label}` : `Edit ${label}`}
          aria-expanded={isOpen}
          icon={isOpen ? <ChevronUpIcon /> : <EditIcon size={15} />}
          onClick={() => onOpenChange(draft.key, !isOpen)}
        />
        <Menu
          triggerRef={menu}
          label={`Actions for ${label}`}
          trigger={{ icon: <MoreIcon size={17} /> }}
          items={[
            ...(dirty ? [{ id: 'discard', label: 'Discard changes', icon: <DiscardIcon />, onSelect: onDiscard }] : []),
            {
              id: 'copy',
              label: 'Copy as JSON',
              icon: <JsonIcon />,
              onSelect: () => void copyAndNotify(toJson(draft.now)),
            },
            { separator: true },
            {
              id: 'remove',
              label: 'Remove',
              icon: <RemoveIcon />,
              tone: 'danger',
              // A new strategy is only discarded.
              disabledReason: blockedReason ?? (draft.base && removalReason),
              onSelect: onRemove,
            },
          ]}
        />
      </span>
    </header>
  );
}

interface SaveButtonProps {
  label: string;
  busy: boolean;
  disabledReason: string | undefined;
  onClick: () => void;
  menu: RefObject<HTMLElement | null>;
}

function SaveButton({ label, menu, ...button }: SaveButtonProps) {
  const save = useRef<HTMLButtonElement>(null);
  // The button disappears after saving.
  useRestoreFocus(save, menu);
  return (
    <Button ref={save} variant="unsaved" size="small" aria-label={`Save ${label}`} {...button}>
      Save
    </Button>
  );
}
