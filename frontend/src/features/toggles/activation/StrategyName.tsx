import { Link } from 'react-router-dom';
import type { StrategyDefinition } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';

interface Props {
  name: string;
  /** Undefined if the server has no such strategy, or while loading. */
  definition: StrategyDefinition | undefined;
  /** Open the definition in a new tab, because the page has unsaved changes. */
  opensNewTab?: boolean;
}

/** Heading of a strategy's card, linked to the strategy's page. */
export function StrategyName({ name, definition, opensNewTab = false }: Props) {
  return (
    <h3 className="min-w-0 truncate font-medium" data-tip={name}>
      {definition ? (
        <TextLink
          to={paths.strategy(name)}
          className="touch:inline-block touch:leading-6"
          {...(opensNewTab && { target: '_blank', rel: 'noopener' })}
        >
          {name}
        </TextLink>
      ) : (
        name
      )}
    </h3>
  );
}

/** Note that a strategy is not defined on the server. Toggles may use any name, because clients can define strategies. */
export function UndefinedStrategyNote({ name }: { name: string }) {
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
