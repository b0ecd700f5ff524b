import type { ReactNode } from 'react';
import type { Resource } from '@/api/resource';
import { describeRemoval } from '@/ui/describeRemoval';
import { useConfirm } from '@/ui/useConfirm';

export interface RemovalDescription {
  name: string;
  /** The rest of a sentence that starts with the name. */
  consequences: ReactNode;
}

/** Asks for confirmation before an item of a resource is removed. */
export function useRemoval<Item>(resource: Resource<Item>, describe: (item: Item) => RemovalDescription) {
  const remove = resource.useRemove();
  return useConfirm<Item>((item) =>
    describeRemoval({ noun: resource.noun, ...describe(item), action: () => remove(item) }),
  );
}
