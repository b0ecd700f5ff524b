import { Plug, Webhook } from 'lucide-react';
import type { ReactNode } from 'react';

/** Signs that remind of a service. They are drawn here: no page asks another origin for its logo. */
const SIGNS: { [provider: string]: ReactNode } = {
  webhook: <Webhook size={18} strokeWidth={1.75} aria-hidden="true" />,
  slack: (
    <Sign>
      <path d="M9 3v11M15 10v11M3 15h11M10 9h11" />
    </Sign>
  ),
  'jira-comment': (
    <Sign>
      <path d="M12 3l9 9-9 9-9-9zM12 9l3 3-3 3-3-3z" />
    </Sign>
  ),
};

export function ProviderIcon({ provider }: { provider: string }) {
  return (
    <span
      data-provider={provider}
      className="flex size-8 shrink-0 items-center justify-center rounded-control bg-accent-soft text-accent"
    >
      {Object.hasOwn(SIGNS, provider) ? SIGNS[provider] : <Plug size={18} strokeWidth={1.75} aria-hidden="true" />}
    </span>
  );
}

function Sign({ children }: { children: ReactNode }) {
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
