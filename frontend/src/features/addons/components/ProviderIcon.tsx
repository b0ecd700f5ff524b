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
