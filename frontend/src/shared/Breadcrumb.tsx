import { ChevronRightIcon } from '@/ui/icons';
import { TextLink } from './TextLink';

interface Props {
  /** Name of the page; absent if the heading below shows it. */
  here?: string;
  /** Parent section. */
  within: { label: string; path: string };
}

export function Breadcrumb({ here, within }: Props) {
  return (
    <nav aria-label="Breadcrumb">
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
