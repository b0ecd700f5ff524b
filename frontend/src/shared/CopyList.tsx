import type { Endpoint } from '@/api/client';
import { type CopyColumn, toMarkdownTable } from '@/lib/copyFormats';
import { CopyMenu } from './CopyMenu';

interface Props<Item> {
  /** Undefined while loading. */
  items: readonly Item[] | undefined;
  /** Endpoint that reads the list. */
  call: Endpoint<unknown>;
  /** Columns of the Markdown table. */
  columns: readonly CopyColumn<Item>[];
}

export function CopyList<Item>({ items = [], call, columns }: Props<Item>) {
  if (items.length === 0) return null;
  return (
    <CopyMenu
      subject="the list"
      json={() => items}
      calls={[{ label: 'curl', call }]}
      markdown={() => toMarkdownTable(items, columns)}
    />
  );
}
