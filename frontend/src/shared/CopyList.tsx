import type { Endpoint } from '@/api/client';
import { type CopyColumn, toMarkdownTable } from '@/lib/copyFormats';
import { CopyMenu } from './CopyMenu';

interface Props<Item> {
  /** Undefined while they are being read: there is nothing to copy. */
  items: readonly Item[] | undefined;
  /** What reads them. */
  call: Endpoint<unknown>;
  /** What is told of each in words. */
  columns: readonly CopyColumn<Item>[];
}

export function CopyList<Item>({ items = [], call, columns }: Props<Item>) {
  if (items.length === 0) return null;
  return (
    <CopyMenu
      what="the list"
      json={() => items}
      calls={[{ label: 'toCurl', call }]}
      markdown={() => toMarkdownTable(items, columns)}
    />
  );
}
