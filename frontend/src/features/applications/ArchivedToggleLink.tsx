import { Link } from 'react-router-dom';
import { paths } from '@/paths';

/** Link to an archived toggle. Its name is in use, so it can be revived but not created. */
export function ArchivedToggleLink({ name }: { name: string }) {
  return (
    <Link
      to={paths.archivedToggle(name)}
      aria-label={`In the archive: ${name}`}
      className="font-semibold text-secondary text-warn underline touch:inline-flex touch:min-h-touch touch:items-center"
    >
      In the archive
    </Link>
  );
}
