// Bar with the bulk actions for the selected toggles, their progress and their failures.
import { useCallback, useRef } from 'react';
import { ApiError } from '@/api/error';
import type { Toggle } from '@/api/generated/types';
import { pushError } from '@/api/notices';
import { usePermission } from '@/api/permissions';
import { usePrompt } from '@/lib/prompt';
import { findPageHeading, useRestoreFocus } from '@/lib/restoreFocus';
import { copyAndNotify } from '@/shared/copyAndNotify';
import { BottomBar } from '@/ui/BottomBar';
import { Button } from '@/ui/Button';
import { Count } from '@/ui/Count';
import { IconButton } from '@/ui/IconButton';
import {
  ActiveIcon,
  ArchiveIcon,
  ChevronDownIcon,
  CloseIcon,
  CopyAsIcon,
  OffIcon,
  OnIcon,
  StaleIcon,
  TagIcon,
} from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import { toYaml } from '../list/toggleYaml';
import { AddTagDialog } from '../tags/AddTagDialog';
import { BulkArchiveDialog } from './BulkArchiveDialog';
import { BulkProgress } from './BulkProgress';
import {
  type BulkAction,
  createArchiveAction,
  createStaleAction,
  createSwitchAction,
  createTagAction,
} from './bulkActions';
import type { BulkState } from './bulkState';
import { BULK_BAR_ID } from './RowCheckbox';
import { startBulkAction } from './startBulkAction';
import type { Selection } from './useSelection';

interface Props {
  selection: Selection;
  /** Number of rows that match the filters. */
  total: number;
  bulk: BulkState | undefined;
}

export function BulkBar({ selection, total, bulk }: Props) {
  const [tagging] = usePrompt();
  // The names in the dialog stay while it closes, when the selection is already empty.
  const [archiving, archiveState] = usePrompt<readonly Toggle[]>();
  const { toggles, setAll, add } = selection;
  /** Starts an action on these toggles, which are no longer selected from then on, unless the user does not confirm it. */
  const start = async (action: BulkAction, names: readonly string[]) => {
    findBar()?.focus();
    setAll(false);
    if (!(await startBulkAction(action, names))) add(names);
  };
  const selected = toggles.map(({ name }) => name);
  // Moves focus to the heading when the bar is removed with the focused element.
  const bar = useCallback((element: HTMLElement) => {
    return () => {
      if (element.contains(document.activeElement)) findPageHeading()?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <>
      <BottomBar
        ref={bar}
        id={BULK_BAR_ID}
        tabIndex={-1}
        aria-label="Selected toggles"
        onKeyDown={({ key, target }) => {
          // In an open menu, Escape only closes the menu.
          const isInMenu = target instanceof Element && target.closest('[popover]');
          if (key === 'Escape' && !bulk && !isInMenu) setAll(false);
        }}
      >
        {bulk ? (
          <BulkProgress bulk={bulk} />
        ) : (
          <BulkActions
            selection={selection}
            total={total}
            start={(action) => void start(action, selected)}
            onTag={() => void tagging.ask()}
            onArchive={() => void archiving.ask(toggles)}
          />
        )}
      </BottomBar>
      <AddTagDialog prompt={tagging} present={[]} onAdd={async (tag) => void start(createTagAction(tag), selected)} />
      {archiveState && (
        // The key makes each opening start with the current uses.
        <BulkArchiveDialog
          key={archiveState.number}
          prompt={archiving}
          toggles={archiveState.question}
          onConfirm={async (names) => void start(createArchiveAction(), names)}
        />
      )}
    </>
  );
}

interface BulkActionsProps {
  selection: Selection;
  total: number;
  start: (action: BulkAction) => void;
  onTag: () => void;
  onArchive: () => void;
}

function BulkActions({ selection, total, start, onTag, onArchive }: BulkActionsProps) {
  const { length } = selection.toggles;
  const switchDisabledReason = usePermission('UPDATE_FEATURE_ENVIRONMENT');
  const updateDisabledReason = usePermission('UPDATE_FEATURE');
  const archiveDisabledReason = usePermission('DELETE_FEATURE');
  return (
    <>
      <p role="status" className="mr-1 whitespace-nowrap font-semibold tabular-nums">
        <Count value={length} /> selected
      </p>
      {length < total && <SelectAllButton total={total} onClick={() => selection.setAll(true)} />}
      {/* On phones, a line break: the actions are in the second line. */}
      <span className="order-1 hidden w-full max-sm:block" />
      <span className="order-2 flex gap-1.5 max-sm:flex-1 max-sm:*:flex-1 sm:ml-3">
        <Menu
          label="Status"
          trigger={{ text: <StatusText />, variant: 'bar', size: 'small' }}
          items={[
            {
              id: 'on',
              label: 'Enable',
              icon: <OnIcon />,
              disabledReason: switchDisabledReason,
              onSelect: () => start(createSwitchAction(true)),
            },
            {
              id: 'off',
              label: 'Disable',
              icon: <OffIcon />,
              disabledReason: switchDisabledReason,
              onSelect: () => start(createSwitchAction(false)),
            },
            { separator: true },
            {
              id: 'stale',
              label: 'Mark stale',
              icon: <StaleIcon />,
              disabledReason: updateDisabledReason,
              onSelect: () => start(createStaleAction(true)),
            },
            {
              id: 'active',
              label: 'Mark active',
              icon: <ActiveIcon />,
              disabledReason: updateDisabledReason,
              onSelect: () => start(createStaleAction(false)),
            },
          ]}
          disabledReason={switchDisabledReason && updateDisabledReason}
        />
        <Button variant="bar" size="small" icon={<TagIcon />} disabledReason={updateDisabledReason} onClick={onTag}>
          Add tag…
        </Button>
        <Button
          variant="bar"
          size="small"
          icon={<ArchiveIcon className="text-danger" />}
          disabledReason={archiveDisabledReason}
          onClick={onArchive}
        >
          Archive…
        </Button>
      </span>
      <span className="ml-auto flex sm:order-3">
        <IconButton
          label="Copy as YAML"
          icon={<CopyAsIcon size={17} />}
          onClick={() => void copyAsYaml(selection.toggles)}
        />
        <IconButton label="Clear selection" icon={<CloseIcon size={17} />} onClick={() => selection.setAll(false)} />
      </span>
    </>
  );
}

/** Disappears when it is used. The focus stays in the bar. */
function SelectAllButton({ total, onClick }: { total: number; onClick: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useRestoreFocus(button, findBar);
  return (
    <Button ref={button} variant="bar" size="small" onClick={onClick}>
      Select all <Count value={total} />
    </Button>
  );
}

async function copyAsYaml(toggles: readonly Toggle[]): Promise<void> {
  try {
    await copyAndNotify(await toYaml(toggles));
  } catch (failure) {
    pushError(`The toggles were not copied: ${failure instanceof ApiError ? failure.noticeText : String(failure)}`);
  }
}

function findBar(): HTMLElement | null {
  return document.getElementById(BULK_BAR_ID);
}

function StatusText() {
  return (
    <>
      Status
      <ChevronDownIcon className="-mr-1" />
    </>
  );
}
