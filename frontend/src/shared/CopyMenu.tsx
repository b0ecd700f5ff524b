// Menu that copies data as JSON, curl or Markdown.

import type { Endpoint, Write } from '@/api/client';
import { toCurl, toJson } from '@/lib/copyFormats';
import { baseUrl } from '@/lib/urls';
import { CopyAsIcon, CurlIcon, type IconComponent, JsonIcon, MarkdownIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import { copyAndNotify } from './copyAndNotify';

interface CopyCall {
  label: string;
  call: Endpoint<unknown> | Write<never, unknown>;
  body?: unknown;
}

interface Props {
  /** Noun for the menu's label, such as `event 12`. */
  subject: string;
  json: () => unknown;
  calls: readonly CopyCall[];
  markdown: () => string;
}

export function CopyMenu({ subject, json, calls, markdown }: Props) {
  const item = (id: string, label: string, Icon: IconComponent, text: () => string) => ({
    id,
    label,
    icon: <Icon />,
    onSelect: () => void copyAndNotify(text()),
  });
  return (
    <Menu
      label={`Copy ${subject} as`}
      trigger={{ icon: <CopyAsIcon size={17} /> }}
      items={[
        item('json', 'JSON', JsonIcon, () => toJson(json())),
        ...calls.map(({ label, call, body }) => item(label, label, CurlIcon, () => toCurl(baseUrl, { ...call, body }))),
        item('markdown', 'Markdown', MarkdownIcon, markdown),
      ]}
    />
  );
}

/** Returns the absolute URL of a console path, for sharing. */
export function toAbsoluteUrl(path: string): string {
  return new URL(path.slice(1), baseUrl).href;
}
