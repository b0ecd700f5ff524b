import type { SeenApp } from '@/api/generated/types';
import { paths } from '@/paths';
import { LinkButton } from '@/shared/LinkButton';
import { NotFoundIcon } from '@/ui/icons';
import { useMissingItems } from '../useMissingItems';

/** The count needs one request per application. With more applications, the link has no count. */
const MAX_COUNTED = 100;

/** Link to the page of missing toggles, with their number. */
export function MissingTogglesLink({ applications }: { applications: readonly SeenApp[] | undefined }) {
  const isFew = (applications?.length ?? 0) <= MAX_COUNTED;
  const { missing } = useMissingItems(isFew ? applications : undefined);
  return (
    <LinkButton to={paths.missingToggles()} icon={<NotFoundIcon />}>
      Missing toggles
      {missing !== undefined && missing.toggles.length > 0 && (
        <span className="rounded-chip bg-warn-soft px-1.5 text-label text-warn tabular-nums">
          {missing.toggles.length}
        </span>
      )}
    </LinkButton>
  );
}
