import { type ReactNode, useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { MaybeMissing } from '@/api/generated/types';
import { useDisabledReason } from '@/api/permissions';
import { useUnfit } from '@/api/unfit';
import { Chip } from '@/ui/Chip';
import { useGrowing } from '@/ui/useGrowing';
import { isMissing } from '../missing';

type Named = MaybeMissing<{ name: string; description?: string | null }>;

interface Props<Thing extends Named> {
  things: readonly Thing[];
  /** Where one that exists is seen. */
  address: (name: string) => string;
  /** Where one that does not is created, and who may. */
  create: { address: (name: string) => string; permission: string };
  /** Where one that cannot be created is found instead. */
  elsewhere?: (name: string) => ReactNode;
  /** Stands before the name. */
  mark?: (thing: Thing) => ReactNode;
}

/** What an application named: those that are missing first, for they want something done. */
export function KnownList<Thing extends Named>({ things, address, create, elsewhere, mark }: Props<Thing>) {
  // Detects a server on which no toggle can be created.
  useUnfit();
  const mayCreate = useDisabledReason(create.permission) === undefined;
  const sorted = useMemo(
    () => things.toSorted((a, b) => Number(isMissing(b)) - Number(isMissing(a)) || a.name.localeCompare(b.name, 'en')),
    [things],
  );
  const { drawn, rest } = useGrowing(sorted);
  return (
    <>
      <ul className="grid gap-y-2.5">
        {drawn.map((thing) => (
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
      {rest}
    </>
  );
}
