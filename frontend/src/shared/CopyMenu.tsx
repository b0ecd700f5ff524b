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

export interface Copied {
  json: () => unknown;
  calls: readonly CopyCall[];
  markdown: () => string;
}

interface Props extends Copied {
  /** Noun for the menu's label, such as `event 12`. */
  subject: string;
}

export function CopyMenu({ subject, ...copied }: Props) {
  return <Menu label={`Copy ${subject} as`} trigger={{ icon: <CopyAsIcon size={17} /> }} items={copyActions(copied)} />;
}

/** Returns one menu entry for each format. */
export function copyActions({ json, calls, markdown }: Copied): MenuAction[] {
  const item = (format: string, Icon: IconComponent, text: () => string) => ({
    id: `copy-${format}`,
    label: `Copy as ${format}`,
    icon: <Icon />,
    onSelect: () => void copyAndNotify(text()),
  });
  return [
    item('JSON', JsonIcon, () => toJson(json())),
    ...calls.map(({ label, call, body }) => item(label, CurlIcon, () => toCurl(baseUrl, { ...call, body }))),
    item('Markdown', MarkdownIcon, markdown),
  ];
}

/** Returns the absolute URL of a console path, for sharing. */
export function toAbsoluteUrl(path: string): string {
  return new URL(path.slice(1), baseUrl).href;
}
