import { type ReactNode, useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { MaybeMissing, PermissionName } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { useUnsupportedServer } from '@/api/unsupportedServer';
import { TextLink } from '@/shared/TextLink';
import { Chip } from '@/ui/Chip';
import { useIncrementalRows } from '@/ui/useIncrementalRows';
import { isMissing } from '../missing';

type NamedItem = MaybeMissing<{ name: string; description?: string | null }>;

interface Props<Item extends NamedItem> {
  items: readonly Item[];
  /** Page of an existing item. */
  href: (name: string) => string;
  /** Form and permission to create a missing item. */
  create: { href: (name: string) => string; permission: PermissionName };
  /** Link to show instead if a missing item cannot be created. */
  alternative?: (name: string) => ReactNode;
  /** Shown before the name. */
  mark?: (item: Item) => ReactNode;
}

/** List of toggles or strategies that an application reported. Missing items come first. */
export function ReportedItemList<Item extends NamedItem>({ items, href, create, alternative, mark }: Props<Item>) {
  // Detects a server whose toggles cannot be created here.
  useUnsupportedServer();
  const canCreate = usePermission(create.permission) === undefined;
  const sorted = useMemo(
    () => items.toSorted((a, b) => Number(isMissing(b)) - Number(isMissing(a)) || a.name.localeCompare(b.name, 'en')),
    [items],
  );
  const { rendered, placeholder } = useIncrementalRows(sorted);
  return (
    <>
      <ul className="grid gap-y-2.5">
        {rendered.map((item) => (
          <li key={item.name} className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
            {mark?.(item)}
            {isMissing(item) ? (
              <>
                <span className="wrap-anywhere min-w-0 font-semibold">{item.name}</span>
                {alternative?.(item.name) ||
                  (canCreate ? (
                    <Link
                      to={create.href(item.name)}
                      aria-label={`Missing, want to create? ${item.name}`}
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
                <TextLink to={href(item.name)} className="wrap-anywhere min-w-0 font-semibold">
                  {item.name}
                </TextLink>
                {item.description && (
                  <span className="min-w-0 flex-1 basis-48 truncate text-muted text-secondary">{item.description}</span>
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
