import type { Endpoint } from '@/api/client';
import type { ListColumn } from '@/lib/listColumn';
import { CopyMenu, toAbsoluteUrl } from './CopyMenu';

interface Props<Item> {
  /** Undefined while loading. */
  items: readonly Item[] | undefined;
  /** Endpoint that reads the list. */
  call: Endpoint<unknown>;
  /** Columns of the list. */
  columns: readonly ListColumn<Item>[];
}

export function CopyList<Item>({ items = [], call, columns }: Props<Item>) {
  if (items.length === 0) return null;
  return (
    <CopyMenu
      subject="the list"
      json={() => items}
      calls={[{ label: 'curl', call }]}
      markdown={async () => (await import('@/lib/copyFormats')).toMarkdownTable(items, columns, toAbsoluteUrl)}
    />
  );
}
