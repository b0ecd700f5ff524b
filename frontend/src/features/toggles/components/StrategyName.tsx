import { Link } from 'react-router-dom';
import type { StrategyDefinition } from '@/api/generated/types';
import { paths } from '@/paths';

interface Props {
  name: string;
  /** Left out where the server has none of that name, or it is not known yet. */
  definition: StrategyDefinition | undefined;
  /** The page holds work that is not saved: the definition opens beside it. */
  beside?: boolean;
}

/** The heading of a strategy's card; it leads to what the strategy means. */
export function StrategyName({ name, definition, beside = false }: Props) {
  return (
    <h3 className="wrap-anywhere font-semibold">
      {definition ? (
        <Link
          to={paths.strategy(name)}
          {...(beside && { target: '_blank', rel: 'noopener' })}
          className="hover:text-accent hover:underline"
        >
          {name}
        </Link>
      ) : (
        name
      )}
    </h3>
  );
}
