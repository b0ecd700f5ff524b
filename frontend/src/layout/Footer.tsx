import type { ReactNode } from 'react';
import { useNewerServer, useServerEnvironment } from '@/api/environment';
import type { UiConfig } from '@/api/generated/types';
import { useSettings } from '@/api/settings';
import { productName } from '@/api/uiConfigCache';
import { cx } from '@/lib/cx';
import { safeHref } from '@/lib/urls';
import { menuEntries } from '@/routes';
import { ExternalLinkIcon } from '@/ui/icons';
import { MaterialIcon } from '@/ui/MaterialIcon';
import { MenuLink } from './MenuLink';
import { Problems } from './Problems';
import { ReplicaState } from './replica';

const SDKS = [
  ['Node.js', 'https://github.com/Unleash/unleash-client-node'],
  ['Java', 'https://github.com/Unleash/unleash-client-java'],
  ['Go', 'https://github.com/Unleash/unleash-client-go'],
  ['Python', 'https://github.com/Unleash/unleash-client-python'],
  ['Ruby', 'https://github.com/Unleash/unleash-client-ruby'],
  ['.NET', 'https://github.com/Unleash/unleash-client-dotnet'],
  ['PHP', 'https://github.com/Unleash/unleash-client-php'],
] as const;

/** Two rows of small text. On phones, each list of links is a row that scrolls sideways. */
export function Footer({ config }: { config: UiConfig }) {
  return (
    <footer className="mt-10 border-line border-t text-label text-muted leading-6">
      <div className="mx-auto max-w-page px-4 py-2 lg:px-8">
        <div className={ROW}>
          <div className="flex min-w-0 max-w-full items-baseline gap-x-3">
            <nav aria-label="Pages" className={LINKS}>
              {menuEntries
                .filter(({ isOnlyInSideMenu }) => !isOnlyInSideMenu)
                .map((entry) => (
                  <MenuLink key={entry.path} entry={entry} className={LINK}>
                    {entry.label}
                  </MenuLink>
                ))}
            </nav>
            {/* Outside the list, which scrolls on phones, and above the snackbar. */}
            <Problems />
          </div>
          <div className={LINKS}>
            <span className="touch:leading-11">Client SDKs</span>
            {SDKS.map(([name, href]) => (
              <ExternalLinkItem key={name} href={href} text={name} />
            ))}
          </div>
        </div>
        {/* Below the links, because its texts may arrive after the first paint. */}
        <div className={ROW}>
          <About config={config} />
          <ReplicaState open={useSettings()?.replica ?? false} />
          <OperatorLinks config={config} />
        </div>
      </div>
    </footer>
  );
}

function About({ config }: { config: UiConfig }) {
  const { slogan, environment, versionInfo } = config;
  const upgrade = availableUpgrade(config);
  const server = useNewerServer();
  const selected = useServerEnvironment();
  const place = server ? selected && `Environment ${selected.name}` : environment;
  const instance = versionInfo?.instanceId && `Instance ${versionInfo.instanceId}`;
  const facts = [slogan, place, instance].filter(Boolean);
  return (
    <p className="wrap-anywhere min-w-0">
      <span className="font-semibold text-text">{productName(config)}</span>{' '}
      {server ? server.version && `Unleash ${server.version}` : versionText(config)}
      {upgrade && <span className="ml-2 font-semibold text-warn">Upgrade available: {upgrade}</span>}
      {facts.length > 0 && <span className="ml-3">{facts.join(' · ')}</span>}
    </p>
  );
}

function versionText({ version = '', versionInfo }: UiConfig): string {
  const { oss, enterprise } = versionInfo?.current ?? {};
  if (enterprise) return `Enterprise ${enterprise}`;
  return oss || version;
}

/** The newer version of the same edition that the server reports; undefined if there is none. */
function availableUpgrade({ versionInfo }: UiConfig): string | undefined {
  const { current, latest, isLatest } = versionInfo ?? {};
  if (isLatest !== false) return undefined;
  const { oss, enterprise } = latest ?? {};
  return (current?.enterprise ? enterprise || oss : oss || enterprise) || undefined;
}

function OperatorLinks({ config: { links = [] } }: { config: UiConfig }) {
  const usable = links.flatMap(({ href, value, icon, title }) => {
    const safe = safeHref(href);
    return safe ? [{ href: safe, value, icon: icon?.trim() ?? '', title }] : [];
  });
  if (usable.length === 0) return null;
  return (
    <div className={LINKS}>
      {usable.map(({ href, value, icon, title }) => (
        <ExternalLinkItem
          key={href}
          href={href}
          text={value}
          {...(title && { title })}
          icon={<MaterialIcon name={ICON_ALIASES[icon] ?? icon} fallback={PLAIN_LINK} />}
        />
      ))}
    </div>
  );
}

/** Icon names of the server's own console, mapped to Material icons. */
const ICON_ALIASES: { [icon: string]: string } = { c_github: 'code' };

const PLAIN_LINK = <ExternalLinkIcon size={14} />;

interface ExternalLinkItemProps {
  href: string;
  text: string;
  title?: string;
  icon?: ReactNode;
}

function ExternalLinkItem({ href, text, title, icon }: ExternalLinkItemProps) {
  return (
    <a
      href={href}
      title={title}
      target="_blank"
      rel="noopener noreferrer"
      className={cx(LINK, icon !== undefined && 'inline-flex items-center gap-1.5')}
    >
      {icon && <span className="flex size-4 items-center justify-center [--icon:16px]">{icon}</span>}
      {text}
    </a>
  );
}

const ROW = 'flex flex-wrap justify-between gap-x-8';

/** The padding keeps the end of the last link visible: some browsers round the end of the scrolling down to a whole pixel. */
const LINKS = 'flex min-w-0 max-w-full gap-x-3 whitespace-nowrap max-sm:overflow-x-auto max-sm:pr-1 sm:flex-wrap';

const LINK = 'rounded-chip hover:text-text hover:underline aria-[current]:text-text touch:leading-11';
