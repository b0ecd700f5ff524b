import { Link } from 'react-router-dom';
import { useDisabledReason } from '@/api/permissions';
import { paths } from '@/paths';

/** A toggle may name any strategy: clients know more than the server does. */
export function MissingStrategy({ name }: { name: string }) {
  const mayCreate = useDisabledReason('CREATE_STRATEGY') === undefined;
  return (
    <p className="wrap-anywhere text-secondary text-warn">
      The strategy "{name}" does not exist on this server.
      {mayCreate && (
        <>
          {' '}
          <Link to={paths.createStrategy(name)} className="font-semibold underline touch:inline-block touch:py-3">
            Want to create it now?
          </Link>
        </>
      )}
    </p>
  );
}
