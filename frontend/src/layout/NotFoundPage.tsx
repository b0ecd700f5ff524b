import { Link } from 'react-router-dom';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/buttonClass';
import { UnknownPageIcon } from '@/ui/icons';

export function NotFoundPage() {
  return (
    <div className="flex flex-col items-center gap-3 py-16 text-center">
      <span className="flex size-11 items-center justify-center rounded-full bg-accent-soft text-accent">
        <UnknownPageIcon size={20} />
      </span>
      <h1 tabIndex={-1} className="text-title outline-none [font-weight:650]">
        Page not found
      </h1>
      <p className="max-w-[52ch] text-muted">This page doesn’t exist. Check the URL for typing errors.</p>
      <Link to={paths.toggles()} className={buttonClass({ variant: 'primary' })}>
        Show feature toggles
      </Link>
    </div>
  );
}
