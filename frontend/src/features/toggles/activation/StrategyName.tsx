import type { StrategyDefinition } from '@/api/generated/types';
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
    <h3 className="min-w-0 truncate font-semibold" title={name}>
      {definition ? (
        <TextLink to={paths.strategy(name)} {...(opensNewTab && { target: '_blank', rel: 'noopener' })}>
          {name}
        </TextLink>
      ) : (
        name
      )}
    </h3>
  );
}
