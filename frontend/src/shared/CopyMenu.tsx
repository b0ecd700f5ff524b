// Menu entries that copy data as JSON or YAML.

import { ApiError } from '@/api/error';
import { notifyChunkError, pushFailure } from '@/api/notices';
import { toJson } from '@/lib/copyFormats';
import { CopyAsIcon, MoreIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import type { MenuAction, Submenu } from '@/ui/MenuItems';
import { copyAndNotify } from './copyAndNotify';

export interface Copied {
  /** Returns the data, or a promise of it. */
  json: () => unknown;
  /** Returns a file of `flagdeck plan`. */
  yaml?: (() => Promise<string>) | undefined;
}

interface Props extends Copied {
  /** Noun for the menu's label, such as `event 12`. */
  subject: string;
}

/** The ⋯ menu of an item or a list whose only actions are to copy it. */
export function CopyMenu({ subject, ...copied }: Props) {
  return <ActionsMenu subject={subject} items={copyActions(copied)} />;
}

/** A ⋯ menu. Nothing without entries. */
export function ActionsMenu({ subject, items }: Pick<Props, 'subject'> & { items: readonly MenuAction[] }) {
  if (items.length === 0) return null;
  return <Menu label={`Actions for ${subject}`} trigger={{ icon: <MoreIcon size={17} /> }} items={items} />;
}

/** Returns the menu entry with one entry for each format. */
export function copySubmenu(copied: Copied): Submenu {
  const items = copyActions(copied).map(({ icon: _, ...action }) => ({
    ...action,
    label: action.label.replace(COPY_AS, ''),
  }));
  return { id: 'copy', label: 'Copy as…', icon: <CopyAsIcon />, items };
}

const COPY_AS = 'Copy as ';

/** Returns one menu entry for each format. */
export function copyActions({ json, yaml }: Copied): MenuAction[] {
  const action = (format: string, load: () => Promise<string>): MenuAction => ({
    id: `copy-${format}`,
    label: `${COPY_AS}${format}`,
    icon: <CopyAsIcon />,
    onSelect: () => void load().then(copyAndNotify, notifyFailure),
  });
  return [action('JSON', async () => toJson(await json())), ...(yaml ? [action('YAML', yaml)] : [])];
}

function notifyFailure(failure: unknown): void {
  if (failure instanceof ApiError) pushFailure(failure);
  else notifyChunkError();
}
