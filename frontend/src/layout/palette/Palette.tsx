// The command palette: keyboard navigation to all pages, and actions on toggles.
import { useNavigate } from 'react-router-dom';
import type { Toggle } from '@/api/generated/types';
import { ArchiveDialog } from '@/features/toggles/list/ArchiveDialog';
import { useToggleWrites } from '@/features/toggles/saving/useToggleWrites';
import { confirmLeave } from '@/lib/leaveGuard';
import { usePrompt } from '@/lib/prompt';
import { addRecentId } from '@/lib/recentIds';
import { paths } from '@/paths';
import { PalettePopup } from './PalettePopup';
import type { PaletteAction } from './paletteActions';
import type { PaletteEntry } from './paletteSearch';

export function Palette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const { setEnabled, setStale } = useToggleWrites();
  const [archiving, archiveState] = usePrompt<Toggle>();

  const go = async (to: string) => {
    if (await confirmLeave()) void navigate(to);
  };
  const runAction = (action: PaletteAction, toggle: Toggle) => {
    switch (action) {
      case 'enable':
      case 'disable':
        return void setEnabled(toggle, action === 'enable');
      case 'stale':
      case 'active':
        return void setStale(toggle, action === 'stale');
      case 'copy':
        return void go(paths.copyToggle(toggle.name));
      case 'archive':
        return void archiving.ask(toggle).then(onClose);
    }
  };
  const choose = ({ id, command, disabledReason }: PaletteEntry) => {
    if (disabledReason !== undefined) return;
    const needsConfirmation = 'action' in command && command.action === 'archive';
    // After an action, the toggle is the recent entry, so that Enter does not repeat the action.
    addRecentId('action' in command ? `toggle:${command.toggle.name}` : id);
    if (!needsConfirmation) onClose();
    if ('to' in command) void go(command.to);
    else if ('run' in command) command.run();
    else runAction(command.action, command.toggle);
  };

  if (!archiveState) return <PalettePopup onChoose={choose} onClose={onClose} />;
  return (
    <ArchiveDialog
      prompt={archiving}
      toggle={archiveState.question}
      onArchived={() => {
        // The page may have changed since the last render.
        const isItsPage = window.location.pathname.endsWith(`/${encodeURIComponent(archiveState.question.name)}`);
        if (isItsPage) void navigate(paths.toggles());
      }}
    />
  );
}
