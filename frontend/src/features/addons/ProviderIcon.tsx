import type { ReactNode } from 'react';
import { AddonIcon, WebhookIcon } from '@/ui/icons';

/** Icons of the providers, as SVG: pages load nothing from other origins. */
const ICONS: { [provider: string]: ReactNode } = {
  webhook: <WebhookIcon size={18} />,
  slack: (
    <OutlineIcon>
      <path d="M9 3v11M15 10v11M3 15h11M10 9h11" />
    </OutlineIcon>
  ),
  'slack-app': (
    <OutlineIcon>
      <path d="M10 7v8M14 9v8M7 10h8M9 14h8M3 3h18v18H3z" />
    </OutlineIcon>
  ),
  teams: (
    <OutlineIcon>
      <path d="M3 8h12M9 8v12M18 4v4M16 6h4M19 12v8" />
    </OutlineIcon>
  ),
  teamsworkflow: (
    <OutlineIcon>
      <path d="M3 4h7v6H3zM14 14h7v6h-7zM10 7h7v7" />
    </OutlineIcon>
  ),
  datadog: (
    <OutlineIcon>
      <path d="M4 4v16h16M9 16v-4M13 16V8M17 16v-6" />
    </OutlineIcon>
  ),
  'new-relic': (
    <OutlineIcon>
      <path d="M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9" />
    </OutlineIcon>
  ),
  'jira-comment': (
    <OutlineIcon>
      <path d="M12 3l9 9-9 9-9-9zM12 9l3 3-3 3-3-3z" />
    </OutlineIcon>
  ),
};

export function ProviderIcon({ provider }: { provider: string }) {
  return (
    <span
      data-provider={provider}
      className="flex size-8 shrink-0 items-center justify-center rounded-control bg-accent-soft text-accent"
    >
      {Object.hasOwn(ICONS, provider) ? ICONS[provider] : <AddonIcon size={18} />}
    </span>
  );
}

function OutlineIcon({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={18}
      height={18}
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}
