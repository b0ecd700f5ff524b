import { type ReactNode, useId } from 'react';
import { TextLink } from '@/shared/TextLink';
import { Button } from '@/ui/Button';
import { RetryIcon } from '@/ui/icons';
import { Skeleton } from '@/ui/Skeleton';

/** Longer lists end with the number of further items and a link to all of them. */
const MAX_SHOWN = 10;

interface UsageItem {
  name: string;
  path: string;
  /** Additional information after the link. */
  note?: ReactNode;
}

interface Props {
  title: string;
  /** Level of the heading. */
  level: 2 | 3;
  help?: string | undefined;
  /** Undefined while loading. */
  items: readonly UsageItem[] | undefined;
  error: Error | undefined;
  onRetry: () => void;
  /** Text for an empty list. */
  empty: string;
  /** Link to the whole list. */
  all: { label: string; path: string };
}

/** List of links to the users of a strategy. */
export function UsageList({ title, level, help, items, error, onRetry, empty, all }: Props) {
  const id = useId();
  const Heading = `h${level}` as const;
  return (
    <section aria-labelledby={id} className="min-w-0">
      <Heading id={id} className="font-semibold text-secondary text-text">
        {title}
        {items && items.length > 0 && <span className="ml-2 font-normal text-muted tabular-nums">{items.length}</span>}
      </Heading>
      {help && items && items.length > 0 && <p className="mt-0.5 text-muted text-secondary">{help}</p>}
      <div className="mt-2">{body()}</div>
    </section>
  );

  function body() {
    if (error && !items) {
      return (
        <div role="alert" className="grid justify-items-start gap-2">
          <p className="wrap-anywhere text-danger text-secondary">{error.message}</p>
          <Button size="small" icon={<RetryIcon size={14} />} onClick={onRetry}>
            Retry
          </Button>
        </div>
      );
    }
    if (!items) return <Skeleton width={180} />;
    if (items.length === 0) return <p className="text-muted text-secondary">{empty}</p>;
    return (
      <ul className="grid gap-1.5">
        {items.slice(0, MAX_SHOWN).map(({ name, path, note }) => (
          <li key={name} className="flex min-w-0 flex-wrap items-center gap-x-2 text-secondary">
            <TextLink to={path} tone="accent" className={LINK}>
              {name}
            </TextLink>
            {note}
          </li>
        ))}
        {items.length > MAX_SHOWN && (
          <li className="text-secondary">
            and {items.length - MAX_SHOWN} more:{' '}
            <TextLink to={all.path} tone="accent" className={LINK}>
              {all.label}
            </TextLink>
          </li>
        )}
      </ul>
    );
  }
}

const LINK = 'wrap-anywhere inline-flex items-center font-medium touch:min-h-touch';
