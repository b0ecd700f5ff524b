import { paths } from '@/paths';
import { LinkButton } from '@/shared/LinkButton';
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
      <LinkButton to={paths.toggles()} variant="primary">
        Show feature toggles
      </LinkButton>
    </div>
  );
}
