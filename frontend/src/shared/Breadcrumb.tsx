import { Link } from 'react-router-dom';
import { ChevronRightIcon } from '@/ui/icons';

interface Props {
  here: string;
  /** Parent section. */
  within: { label: string; path: string };
}

export function Breadcrumb({ here, within }: Props) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className="flex items-center gap-2">
        <li>
          <Link to={within.path} className="hover:text-accent hover:underline">
            {within.label}
          </Link>
        </li>
        <li className="flex min-w-0 items-center gap-2">
          <ChevronRightIcon size={14} className="shrink-0" />
          <span aria-current="page" className="truncate text-text">
            {here}
          </span>
        </li>
      </ol>
    </nav>
  );
}
