// Menu that copies data as JSON, curl or Markdown.
import { Braces, ClipboardCopy, FileText, type LucideIcon, Terminal } from 'lucide-react';
import type { Endpoint, Write } from '@/api/client';
import { toCurl, toJson } from '@/lib/copyFormats';
import { baseUrl } from '@/lib/urls';
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
  const item = (id: string, label: string, Icon: LucideIcon, text: () => string) => ({
    id,
    label,
    icon: <Icon size={16} strokeWidth={1.75} aria-hidden="true" />,
    onSelect: () => void copyAndNotify(text()),
  });
  return (
    <Menu
      label={`Copy ${subject} as`}
      trigger={{ icon: <ClipboardCopy size={17} strokeWidth={1.75} aria-hidden="true" /> }}
      items={[
        item('json', 'JSON', Braces, () => toJson(json())),
        ...calls.map(({ label, call, body }) => item(label, label, Terminal, () => toCurl(baseUrl, { ...call, body }))),
        item('markdown', 'Markdown', FileText, markdown),
      ]}
    />
  );
}

/** Returns the absolute URL of a console path, for sharing. */
export function toAbsoluteUrl(path: string): string {
  return new URL(path.slice(1), baseUrl).href;
}
