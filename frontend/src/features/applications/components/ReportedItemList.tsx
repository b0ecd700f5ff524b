import { type ReactNode, useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { Known } from '@/api/generated/types';
import { useDisabledReason } from '@/api/permissions';
import { useUnsupportedServer } from '@/api/unsupportedServer';
import { Chip } from '@/ui/Chip';
import { useIncrementalRows } from '@/ui/useIncrementalRows';
import { isMissing } from '../missing';

type NamedItem = Known<{ name: string; description?: string | null }>;

interface Props<Item extends NamedItem> {
  things: readonly Item[];
  /** Where one that exists is seen. */
  address: (name: string) => string;
  /** Where one that does not is created, and who may. */
  create: { address: (name: string) => string; permission: string };
  /** Where one that cannot be created is found instead. */
  elsewhere?: (name: string) => ReactNode;
  /** Stands before the name. */
  mark?: (thing: Item) => ReactNode;
}

/** What an application named: those that are missing first, for they want something done. */
export function ReportedItemList<Thing extends NamedItem>({ things, address, create, elsewhere, mark }: Props<Thing>) {
  // Detects a server on which no toggle can be created.
  useUnsupportedServer();
  const mayCreate = useDisabledReason(create.permission) === undefined;
  const sorted = useMemo(
    () => things.toSorted((a, b) => Number(isMissing(b)) - Number(isMissing(a)) || a.name.localeCompare(b.name, 'en')),
    [things],
  );
  const { rendered, placeholder } = useIncrementalRows(sorted);
  return (
    <>
      <ul className="grid gap-y-2.5">
        {rendered.map((thing) => (
          <li key={thing.name} className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
            {mark?.(thing)}
            {isMissing(thing) ? (
              <>
                <span className="wrap-anywhere min-w-0 font-semibold">{thing.name}</span>
                {elsewhere?.(thing.name) ||
                  (mayCreate ? (
                    <Link
                      to={create.address(thing.name)}
                      aria-label={`Missing, want to create? ${thing.name}`}
                      className="font-semibold text-secondary text-warn underline touch:inline-flex touch:min-h-touch touch:items-center"
                    >
                      Missing, want to create?
                    </Link>
                  ) : (
                    <Chip tone="warn">Missing</Chip>
                  ))}
              </>
            ) : (
              <>
                <Link
                  to={address(thing.name)}
                  className="wrap-anywhere min-w-0 font-semibold hover:text-accent hover:underline"
                >
                  {thing.name}
                </Link>
                {thing.description && (
                  <span className="min-w-0 flex-1 basis-48 truncate text-muted text-secondary">
                    {thing.description}
                  </span>
                )}
              </>
            )}
          </li>
        ))}
      </ul>
      {placeholder}
    </>
  );
}
