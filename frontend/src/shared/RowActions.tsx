import { Pencil, Trash2 } from 'lucide-react';
import { Link } from 'react-router-dom';
import { IconButton, iconButtonClass } from '@/ui/IconButton';

interface Props {
  /** What the row is about. */
  name: string;
  /** Where it is edited, if it can be. */
  edit?: string;
  /** Why it cannot be removed. */
  keptReason: string | undefined;
  onRemove: () => void;
}

/** At the end of a row: the way to edit what it is about, and to have it removed. */
export function RowActions({ name, edit, keptReason, onRemove }: Props) {
  return (
    <>
      {edit !== undefined && (
        <Link to={edit} aria-label={`Edit ${name}`} title={`Edit ${name}`} className={iconButtonClass}>
          <Pencil size={16} strokeWidth={1.75} aria-hidden="true" />
        </Link>
      )}
      <IconButton
        label={`Remove ${name}`}
        icon={<Trash2 size={16} strokeWidth={1.75} aria-hidden="true" />}
        disabledReason={keptReason}
        onClick={onRemove}
      />
    </>
  );
}
