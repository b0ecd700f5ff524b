import type { AddonProvider } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { paths } from '@/paths';
import { LinkButton } from '@/shared/LinkButton';
import { buttonClass } from '@/ui/buttonClass';
import { ConfigureIcon, DocumentationIcon } from '@/ui/icons';
import { documentationHref } from '../rules';
import { ProviderIcon } from './ProviderIcon';

export function ProviderCards({ providers }: { providers: readonly AddonProvider[] }) {
  return (
    <section aria-labelledby="available-addons" className="mt-8">
      <h2 id="available-addons" className="mb-3 font-semibold text-section">
        Available addons
      </h2>
      <ul aria-labelledby="available-addons" className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {providers.map((provider) => (
          <li
            key={provider.name}
            className="flex flex-col gap-2 rounded-card border border-line bg-surface p-4 shadow-card"
          >
            <span className="flex items-center gap-2.5">
              <ProviderIcon provider={provider.name} />
              <h3 className="wrap-anywhere min-w-0 font-semibold">{provider.displayName}</h3>
            </span>
            <p className="wrap-anywhere flex-1 text-muted text-secondary">{provider.description}</p>
            <span className="mt-1 flex flex-wrap items-center gap-2.5">
              <Configure provider={provider} />
              <a
                href={documentationHref(provider)}
                target="_blank"
                rel="noopener noreferrer"
                aria-label={`Documentation of ${provider.displayName}`}
                className={buttonClass({ variant: 'ghost', size: 'small' })}
              >
                <DocumentationIcon size={14} />
                Documentation
              </a>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Configure({ provider: { name, displayName } }: { provider: AddonProvider }) {
  const disabledReason = usePermission('CREATE_ADDON');
  return (
    <LinkButton
      to={paths.createAddon(name)}
      size="small"
      icon={<ConfigureIcon size={14} />}
      disabledReason={disabledReason}
      aria-label={`Configure ${displayName}`}
    >
      Configure
    </LinkButton>
  );
}
