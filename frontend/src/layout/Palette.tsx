// The command palette: goes anywhere and acts on toggles, by a few letters and without a mouse.
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Toggle } from '@/api/generated/types';
import { ArchiveDialog } from '@/features/toggles/components/ArchiveDialog';
import { useToggleWrites } from '@/features/toggles/useToggleWrites';
import { mayLeave } from '@/lib/leaveGuard';
import { rememberRecent } from '@/lib/recent';
import { paths } from '@/paths';
import { PalettePopup } from './PalettePopup';
import type { PaletteAction } from './paletteActions';
import type { PaletteEntry } from './paletteSearch';

export function Palette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const { setEnabled, setStale } = useToggleWrites();
  const [asked, setAsked] = useState<Toggle>();

  const go = (to: string) => {
    if (mayLeave()) void navigate(to);
  };
  const act = (deed: PaletteAction, toggle: Toggle) => {
    switch (deed) {
      case 'enable':
      case 'disable':
        return void setEnabled(toggle, deed === 'enable');
      case 'stale':
      case 'active':
        return void setStale(toggle, deed === 'stale');
      case 'copy':
        return go(paths.copyToggle(toggle.name));
      case 'archive':
        return setAsked(toggle);
    }
  };
  const choose = ({ id, act: what, disabledReason }: PaletteEntry) => {
    if (disabledReason !== undefined) return;
    const isQuestion = 'deed' in what && what.deed === 'archive';
    // What was done to a toggle is not done again by pressing Enter: the toggle itself is what comes back.
    rememberRecent('deed' in what ? `toggle:${what.toggle.name}` : id);
    if (!isQuestion) onClose();
    if ('to' in what) go(what.to);
    else if ('run' in what) what.run();
    else act(what.deed, what.toggle);
  };

  if (!asked) return <PalettePopup onChoose={choose} onClose={onClose} />;
  return (
    <ArchiveDialog
      toggle={asked}
      open
      onClose={onClose}
      onArchived={() => {
        // The page may have changed since the last render.
        const isItsPage = window.location.pathname.endsWith(`/${encodeURIComponent(asked.name)}`);
        if (isItsPage) void navigate(paths.toggles());
      }}
    />
  );
}
