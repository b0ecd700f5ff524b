import { Link } from 'react-router-dom';
import { IconButton, iconButtonClass } from '@/ui/IconButton';
import { EditIcon, RemoveIcon } from '@/ui/icons';

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
        icon={<RemoveIcon />}
        disabledReason={removeDisabledReason}
        onClick={onRemove}
      />
    </>
  );
}

/** A disabled link is a button: only a button can be focused and show the reason. */
function EditLink({ label, to, disabledReason }: { label: string; to: string; disabledReason: string | undefined }) {
  const icon = <EditIcon />;
  if (disabledReason !== undefined)
    return <IconButton data-edit="" label={label} icon={icon} disabledReason={disabledReason} />;
  return (
    <Link data-edit="" to={to} aria-label={label} data-tip={label} className={iconButtonClass}>
      {icon}
    </Link>
  );
}
