import type { Tag, Toggle } from '@/api/generated/types';
import { formatTag } from '@/domain/tags/tags';
import { cx } from '@/lib/cx';
import { usePrompt } from '@/lib/prompt';
import { atHandClass } from '@/ui/atHand';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { AddIcon, TagIcon } from '@/ui/icons';
import { useConfirm } from '@/ui/useConfirm';
import { AddTagDialog } from './AddTagDialog';
import { useToggleTags } from './useToggleTags';

interface Props {
  toggle: Toggle;
  /** Reason why the tags cannot be changed. */
  readOnlyReason?: string | undefined;
}

/** Tags in the metadata line of a toggle. */
export function ToggleTags({ toggle: { name }, readOnlyReason }: Props) {
  const { tags, error, reload, add, remove } = useToggleTags(name);
  const [adding] = usePrompt();
  const removal = useConfirm<Tag>((tag) => ({
    title: 'Remove tag',
    body: (
      <>
        <p className="font-semibold text-text">Are you sure you want to remove this tag</p>
        <p className="mt-2">
          <b className="wrap-anywhere text-text">{formatTag(tag)}</b> will be removed from{' '}
          <b className="wrap-anywhere text-text">{name}</b>. Other toggles keep it.
        </p>
      </>
    ),
    confirmLabel: 'Remove',
    tone: 'danger',
    action: () => remove(tag),
  }));
  if (error && !tags) {
    return (
      <span role="alert" className="text-danger">
        The tags could not be loaded.{' '}
        <button type="button" className="font-semibold underline touch:min-h-touch" onClick={reload}>
          Retry
        </button>
      </span>
    );
  }
  if (!tags) return null;
  return (
    <>
      <ul aria-label="Tags" className={tags.length > 0 ? 'contents' : 'hidden'}>
        {tags.map((tag) => (
          <li key={JSON.stringify([tag.type, tag.value])} className="flex min-w-0 max-sm:max-w-60 max-sm:shrink-0">
            <Chip
              icon={<TagIcon size={12} className="shrink-0" />}
              removeLabel={`Remove tag ${formatTag(tag)}`}
              {...(readOnlyReason === undefined && { onRemove: () => void removal.ask(tag) })}
            >
              {formatTag(tag)}
            </Chip>
          </li>
        ))}
      </ul>
      <Button
        variant="ghost"
        size="small"
        className={cx('border border-line-control border-dashed', atHandClass)}
        icon={<AddIcon size={14} />}
        disabledReason={readOnlyReason}
        onClick={() => void adding.ask()}
      >
        Add tag
      </Button>
      <AddTagDialog prompt={adding} present={tags} onAdd={add} />
      {removal.dialog}
    </>
  );
}
