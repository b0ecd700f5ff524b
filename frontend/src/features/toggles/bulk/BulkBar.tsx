// Bar with the bulk actions for the selected toggles, their progress and their failures.

import { type ReactNode, useCallback } from 'react';
import type { Toggle } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { findPageHeading } from '@/lib/findPageHeading';
import { usePrompt } from '@/lib/prompt';
import { Button } from '@/ui/Button';
import { Count } from '@/ui/Count';
import { IconButton } from '@/ui/IconButton';
import { ActiveIcon, ArchiveIcon, CloseIcon, OffIcon, OnIcon, StaleIcon, TagIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
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
import { confirmBulkAction, startBulkAction } from './startBulkAction';
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
  const { toggles, setAll } = selection;
  const start = async (action: BulkAction) => {
    if (!(await confirmBulkAction(action, toggles))) return;
    document.getElementById(BULK_BAR_ID)?.focus();
    void startBulkAction(action, toggles);
    setAll(false);
  };
  // Moves focus to the heading when the bar is removed with the focused element.
  const bar = useCallback((element: HTMLElement) => {
    return () => {
      if (element.contains(document.activeElement)) findPageHeading()?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <>
      <section
        ref={bar}
        id={BULK_BAR_ID}
        tabIndex={-1}
        aria-label="Selected toggles"
        onKeyDown={({ key }) => {
          if (key === 'Escape' && !bulk) setAll(false);
        }}
        className="fixed inset-x-4 bottom-4 z-40 mx-auto flex w-fit max-w-[calc(100%-2rem)] items-center gap-2 rounded-card border border-line-strong bg-surface px-3 py-2 shadow-overlay outline-none max-sm:w-auto"
      >
        {bulk ? (
          <BulkProgress bulk={bulk} />
        ) : (
          <BulkActions
            selection={selection}
            total={total}
            start={start}
            onTag={() => void tagging.ask()}
            onArchive={() => void archiving.ask(toggles)}
          />
        )}
      </section>
      <AddTagDialog prompt={tagging} present={[]} onAdd={(tag) => start(createTagAction(tag))} />
      {archiveState && (
        <BulkArchiveDialog
          prompt={archiving}
          toggles={archiveState.question}
          onConfirm={() => start(createArchiveAction())}
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

interface Item {
  id: string;
  label: string;
  icon: ReactNode;
  disabledReason: string | undefined;
  tone?: 'danger';
  onSelect: () => void;
}

function BulkActions({ selection, total, start, onTag, onArchive }: BulkActionsProps) {
  const { length } = selection.toggles;
  const items = useItems(start, onTag, onArchive);
  return (
    <>
      <p role="status" className="whitespace-nowrap font-semibold tabular-nums">
        <Count value={length} /> selected
      </p>
      {length < total && (
        <Button variant="ghost" size="small" onClick={() => selection.setAll(true)}>
          Select all <Count value={total} />
        </Button>
      )}
      <span className="flex gap-1.5 max-lg:hidden">
        {items.map(({ id, label, icon, disabledReason, tone, onSelect }) => (
          <Button
            key={id}
            size="small"
            icon={icon}
            disabledReason={disabledReason}
            onClick={onSelect}
            {...(tone && { variant: tone })}
          >
            {label}
          </Button>
        ))}
      </span>
      <span className="ml-auto flex lg:hidden">
        <Menu label="Actions" trigger={{ text: 'Actions' }} items={items} />
      </span>
      <IconButton label="Clear selection" icon={<CloseIcon size={17} />} onClick={() => selection.setAll(false)} />
    </>
  );
}

function useItems(start: (action: BulkAction) => void, onTag: () => void, onArchive: () => void): Item[] {
  const update = { disabledReason: usePermission('UPDATE_FEATURE') };
  const remove = { disabledReason: usePermission('DELETE_FEATURE') };
  return [
    {
      id: 'on',
      label: 'Enable',
      icon: <OnIcon />,
      ...update,
      onSelect: () => start(createSwitchAction(true)),
    },
    {
      id: 'off',
      label: 'Disable',
      icon: <OffIcon />,
      ...update,
      onSelect: () => start(createSwitchAction(false)),
    },
    {
      id: 'stale',
      label: 'Mark stale',
      icon: <StaleIcon />,
      ...update,
      onSelect: () => start(createStaleAction(true)),
    },
    {
      id: 'active',
      label: 'Mark active',
      icon: <ActiveIcon />,
      ...update,
      onSelect: () => start(createStaleAction(false)),
    },
    { id: 'tag', label: 'Tag…', icon: <TagIcon />, ...update, onSelect: onTag },
    { id: 'archive', label: 'Archive…', icon: <ArchiveIcon />, tone: 'danger', ...remove, onSelect: onArchive },
  ];
}
