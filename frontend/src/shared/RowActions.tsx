import { Pencil, Trash2 } from 'lucide-react';
import { Link } from 'react-router-dom';
import { IconButton, iconButtonClass } from '@/ui/IconButton';

interface Props {
  /** Name of the row's item. */
  name: string;
  /** Link to the edit page, if there is one. */
  edit?: { to: string; disabledReason: string | undefined };
  /** Reason why the item cannot be removed. */
  removeDisabledReason: string | undefined;
  onRemove: () => void;
}

/** Edit and Remove buttons at the end of a row. */
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
