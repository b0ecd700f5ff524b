import { type ReactNode, useState } from 'react';
import { cx } from '@/lib/cx';
import { useHasUnsavedWork } from '@/lib/useLeaveGuard';
import { EditCapture } from './EditCapture';
import { ErrorPanel } from './ErrorPanel';
import { Progress } from './Progress';

/** The read of an item. */
export interface ItemRead<Item> {
  /** Undefined if it does not exist, and until it is loaded. */
  item: Item | undefined;
  /** Without an item: it does not exist. */
  isLoaded: boolean;
  error: Error | undefined;
  reload: () => void;
}

interface Props<Item> extends ItemRead<Item> {
  /** In the singular, such as 'tag type'. */
  noun: string;
  /** Identifies the item. Another item starts with new forms. */
  id: string;
  /** Shown while loading, below the progress bar. */
  loadingNote?: ReactNode;
  /** Placeholder of the page while loading. The progress bar is above it and takes no space. */
  skeleton?: ReactNode;
  /** Header of the page while the item cannot be loaded. */
  failedHeader?: ReactNode;
  /** Shown if the item does not exist. */
  notFound: ReactNode;
  children: (item: Item, gone: GoneItem | undefined) => ReactNode;
}

/** An item that disappeared while it was edited. */
interface GoneItem {
  /** Closes the forms with the unsaved edits. */
  discard: () => void;
}

/**
 * Loads the item of a page, and renders the page with its latest version. An item that disappears while there are unsaved
 * edits stays, in the version of the last edit, so that its forms keep their input. Each form keeps the version that it
 * edits: see `useForm`.
 */
export function ItemLoader<Item>(props: Props<Item>) {
  const { noun, id, item, isLoaded, error, reload, loadingNote, skeleton, failedHeader, notFound, children } = props;
  const [edited, setEdited] = useState<{ id: string; item: Item }>();
  const hasUnsavedWork = useHasUnsavedWork();
  const kept = hasUnsavedWork && edited?.id === id ? edited.item : undefined;
  const shown = item ?? kept;
  if (shown === undefined) {
    if (isLoaded) return notFound;
    if (error)
      return (
        <>
          {failedHeader}
          <ErrorPanel title={`The ${noun} could not be loaded`} error={error} onRetry={reload} />
        </>
      );
    return (
      <>
        <div className={cx(skeleton !== undefined && 'relative -top-3 h-0')}>
          <Progress label={`Loading the ${noun}`} />
        </div>
        {loadingNote}
        {skeleton}
      </>
    );
  }
  const keep = () => {
    if (item !== undefined && edited?.item !== item) setEdited({ id, item });
  };
  return (
    <EditCapture key={id} onEdit={keep}>
      {children(shown, item === undefined ? { discard: () => setEdited(undefined) } : undefined)}
    </EditCapture>
  );
}
