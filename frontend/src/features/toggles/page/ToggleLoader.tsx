import type { ComponentProps } from 'react';
import type { Toggle } from '@/api/generated/types';
import { ItemLoader } from '@/ui/ItemLoader';
import type { ToggleReadState } from './useToggle';

interface Props
  extends Pick<ComponentProps<typeof ItemLoader<Toggle>>, 'notFound' | 'skeleton' | 'failedHeader' | 'children'> {
  name: string;
  result: ToggleReadState;
}

/** Renders an active toggle. `notFound` is shown for all others. */
export function ToggleLoader({ name, result, ...views }: Props) {
  const failed = result.state === 'failed' ? result : undefined;
  return (
    <ItemLoader
      noun="toggle"
      id={name}
      item={result.state === 'live' ? result.toggle : undefined}
      isLoaded={result.state !== 'loading' && !failed}
      error={failed?.error}
      reload={() => failed?.reload()}
      {...views}
    />
  );
}
