import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router-dom';

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
          <ChevronRight size={14} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
          <span aria-current="page" className="truncate text-text">
            {here}
          </span>
        </li>
      </ol>
    </nav>
  );
}
