// Menu that copies data as JSON, curl or Markdown.

import type { Endpoint, Write } from '@/api/client';
import { toCurl, toJson } from '@/lib/copyFormats';
import { baseUrl } from '@/lib/urls';
import { CopyAsIcon, CurlIcon, type IconComponent, JsonIcon, MarkdownIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import type { MenuAction } from '@/ui/MenuItems';
import { copyAndNotify } from './copyAndNotify';

interface CopyCall {
  label: string;
  call: Endpoint<unknown> | Write<never, unknown>;
  body?: unknown;
}

interface CopySource {
  json: () => unknown;
  calls: readonly CopyCall[];
  markdown: () => string;
}

interface Props extends CopySource {
  /** Noun for the menu's label, such as `the events`. */
  subject: string;
}

export function CopyMenu({ subject, ...source }: Props) {
  return (
    <Menu
      label={`Copy ${subject} as`}
      trigger={{ icon: <CopyAsIcon size={17} /> }}
      items={copyActions(source).map((item) => ({ ...item, label: item.label.replace('Copy as ', '') }))}
    />
  );
}

/** Returns one menu entry for each format. */
export function copyActions({ json, calls, markdown }: CopySource): MenuAction[] {
  const item = (id: string, label: string, Icon: IconComponent, text: () => string) => ({
    id,
    label: `Copy as ${label}`,
    icon: <Icon />,
    onSelect: () => void copyAndNotify(text()),
  });
  return [
    item('json', 'JSON', JsonIcon, () => toJson(json())),
    ...calls.map(({ label, call, body }) => item(label, label, CurlIcon, () => toCurl(baseUrl, { ...call, body }))),
    item('markdown', 'Markdown', MarkdownIcon, markdown),
  ];
}

/** Returns the absolute URL of a console path, for sharing. */
export function toAbsoluteUrl(path: string): string {
  return new URL(path.slice(1), baseUrl).href;
}
