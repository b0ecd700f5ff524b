import { Pencil, Trash2 } from 'lucide-react';
import { Link } from 'react-router-dom';
import { IconButton, iconButtonClass } from '@/ui/IconButton';

interface Props {
  /** What the row is about. */
  name: string;
  /** The page that edits it; left out if there is none. */
  edit?: { to: string; disabledReason: string | undefined };
  /** Why it cannot be removed. */
  removeDisabledReason: string | undefined;
  onRemove: () => void;
}

/** At the end of a row: the way to edit what it is about, and to have it removed. */
export function RowActions({ name, edit, removeDisabledReason, onRemove }: Props) {
  return (
    <>
      {edit && <EditLink label={`Edit ${name}`} {...edit} />}
      <IconButton
        label={`Remove ${name}`}
        icon={<Trash2 size={16} strokeWidth={1.75} aria-hidden="true" />}
        disabledReason={removeDisabledReason}
        onClick={onRemove}
      />
    </>
  );
}

/** A disabled link is a button: only a button can be focused and show the reason. */
function EditLink({ label, to, disabledReason }: { label: string; to: string; disabledReason: string | undefined }) {
  const icon = <Pencil size={16} strokeWidth={1.75} aria-hidden="true" />;
  if (disabledReason !== undefined) return <IconButton label={label} icon={icon} disabledReason={disabledReason} />;
  return (
    <Link to={to} aria-label={label} title={label} className={iconButtonClass}>
      {icon}
    </Link>
  );
}
