import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { paths } from '@/paths';

interface Props {
  here: string;
  /** What it belongs to. */
  within?: { label: string; path: string };
}

const toggles = { label: 'Feature toggles', path: paths.toggles() };

export function Breadcrumb({ here, within = toggles }: Props) {
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
