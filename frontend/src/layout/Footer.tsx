import type { ReactNode } from 'react';
import { NavLink } from 'react-router-dom';
import type { UiConfig } from '@/api/generated/types';
import { productName } from '@/api/uiConfigCache';
import { cx } from '@/lib/cx';
import { safeHref } from '@/lib/urls';
import { menuEntries } from '@/routes';
import { ExternalLinkIcon } from '@/ui/icons';
import { MaterialIcon } from '@/ui/MaterialIcon';

const SDKS = [
  ['Node.js', 'https://github.com/Unleash/unleash-client-node'],
  ['Java', 'https://github.com/Unleash/unleash-client-java'],
  ['Go', 'https://github.com/Unleash/unleash-client-go'],
  ['Python', 'https://github.com/Unleash/unleash-client-python'],
  ['Ruby', 'https://github.com/Unleash/unleash-client-ruby'],
  ['.NET', 'https://github.com/Unleash/unleash-client-dotnet'],
  ['PHP', 'https://github.com/Unleash/unleash-client-php'],
] as const;

export function Footer({ config }: { config: UiConfig }) {
  return (
    <footer className="mt-10 border-line border-t text-muted text-secondary">
      <div className="mx-auto grid max-w-page gap-x-10 gap-y-5 px-4 py-5 lg:grid-cols-[minmax(0,4fr)_minmax(0,3fr)_minmax(0,3fr)] lg:px-8">
        <About config={config} />
        <nav aria-label="Pages" className="flex flex-wrap content-start gap-x-4">
          {menuEntries.map(({ path, label }) => (
            <NavLink key={path} to={path} className={LINK}>
              {label}
            </NavLink>
          ))}
        </nav>
        <div className="flex flex-wrap content-start gap-x-4">
          <span className="touch:leading-11">Client SDKs</span>
          {SDKS.map(([name, href]) => (
            <ExternalLinkItem key={name} href={href} text={name} />
          ))}
        </div>
        <OperatorLinks config={config} />
      </div>
    </footer>
  );
}

function About({ config }: { config: UiConfig }) {
  const { slogan, environment, versionInfo } = config;
  const upgrade = availableUpgrade(config);
  const facts = [environment, versionInfo?.instanceId && `Instance ${versionInfo.instanceId}`].filter(Boolean);
  return (
    <div className="flex max-w-full flex-col gap-0.5">
      <p>
        <span className="font-semibold text-text">{productName(config)}</span> {versionText(config)}
        {upgrade && <span className="ml-2 font-semibold text-warn">Upgrade available: {upgrade}</span>}
      </p>
      {slogan && <p>{slogan}</p>}
      {facts.length > 0 && <p className="wrap-anywhere text-faint">{facts.join(' · ')}</p>}
    </div>
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
    <div className="flex flex-wrap content-start gap-x-4">
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
      className={cx(LINK, icon !== undefined && ICON_LINK)}
    >
      {icon && <span className="flex size-4 items-center justify-center [--icon:16px]">{icon}</span>}
      {text}
    </a>
  );
}

const ICON_LINK = 'inline-flex items-center gap-1.5';

const LINK = 'rounded-chip hover:text-text hover:underline aria-[current=page]:text-text touch:leading-11';
