import { Link } from 'react-router-dom';
import { usePermission } from '@/api/permissions';
import { paths } from '@/paths';

/** Note that a strategy is not defined on the server. Toggles may use any name, because clients can define strategies. */
export function StrategyNotFound({ name }: { name: string }) {
  const canCreate = usePermission('CREATE_STRATEGY') === undefined;
  return (
    <p className="wrap-anywhere text-secondary text-warn">
      The strategy "{name}" does not exist on this server.
      {canCreate && (
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
