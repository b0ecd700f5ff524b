import { createContext, useContext } from 'react';
import { ChevronRightIcon } from '@/ui/icons';
import { TextLink } from './TextLink';

interface Props {
  /** Name of the page; absent if the heading below shows it. */
  here?: string;
  /** Parent section. */
  within: { label: string; path: string };
}

/** Paths of the sections in the side menu, which wide windows always show. */
export const SideMenuPaths = createContext<readonly string[]>([]);

/** The way to a page. The headers hide it in wide windows if it only repeats the current entry of the side menu. */
export function Breadcrumb({ here, within }: Props) {
  const isInMenu = useContext(SideMenuPaths).includes(within.path);
  return (
    <nav aria-label="Breadcrumb" data-repeats-menu={(isInMenu && here === undefined) || undefined}>
      <ol className="flex items-center gap-2">
        <li className="shrink-0">
          <TextLink to={within.path}>{within.label}</TextLink>
        </li>
        {here !== undefined && (
          <li className="flex min-w-0 items-center gap-2">
            <ChevronRightIcon size={14} className="shrink-0" />
            <span aria-current="page" className="truncate text-text">
              {here}
            </span>
          </li>
        )}
      </ol>
    </nav>
  );
}
