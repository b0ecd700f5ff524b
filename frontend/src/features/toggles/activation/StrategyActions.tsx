import { usePermission } from '@/api/permissions';
import { toJson } from '@/lib/copyFormats';
import { cx } from '@/lib/cx';
import { restoreFocus } from '@/lib/restoreFocus';
import { copyAndNotify } from '@/shared/copyAndNotify';
import { Button } from '@/ui/Button';
import { buttonClass } from '@/ui/buttonClass';
import { DiscardIcon, JsonIcon, MoreIcon, RemoveIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import { isDirty, type StrategyEdit } from './strategyDrafts';

export interface StrategyActionsProps {
  draft: StrategyEdit;
  /** Label of the strategy, unique within the toggle. */
  label: string;
  saving: boolean;
  /** Reason why the strategy can neither be saved nor removed. */
  blockedReason: string | undefined;
  onSave: () => void;
  onDiscard: () => void;
  onRemove: () => void;
}

interface Props extends StrategyActionsProps {
  saveDisabledReason: string | undefined;
}

/** End of a card's header: Save, whose space is reserved while there is nothing to save, and the other actions. */
export function StrategyActions(props: Props) {
  const { draft, label, saving, blockedReason, saveDisabledReason, onSave, onDiscard, onRemove } = props;
  const dirty = isDirty(draft);
  const removalReason = usePermission('DELETE_FEATURE_STRATEGY');
  return (
    <span className="ml-auto flex shrink-0 items-center gap-1.5">
      <span className="w-14 text-right font-semibold text-dirty text-label max-sm:sr-only">{dirty && 'Unsaved'}</span>
      <span className="grid *:[grid-area:1/1]">
        <span aria-hidden="true" className={cx(buttonClass({ size: 'small' }), 'invisible')}>
          Save
        </span>
        {dirty && (
          <Button
            ref={moveFocusToMenu}
            variant="unsaved"
            size="small"
            aria-label={`Save ${label}`}
            busy={saving}
            disabledReason={saveDisabledReason}
            onClick={onSave}
          >
            Save
          </Button>
        )}
      </span>
      <Menu
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
  );
}

/** Moves the focus from a Save button that disappears after saving to the menu beside it. */
function moveFocusToMenu(save: HTMLButtonElement) {
  const menu = save.closest('header')?.querySelector<HTMLElement>('[aria-haspopup=menu]');
  return () => restoreFocus(save, menu ?? undefined);
}
