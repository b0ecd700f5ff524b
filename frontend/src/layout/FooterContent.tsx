import { NavLink } from 'react-router-dom';
import type { UiConfig } from '@/api/generated/types';
import { safeHref } from '@/lib/address';
import { productName } from '@/lib/uiConfigCache';
import { menuEntries } from '@/routes';

const CLIENTS = [
  ['Node.js', 'https://github.com/Unleash/unleash-client-node'],
  ['Java', 'https://github.com/Unleash/unleash-client-java'],
  ['Go', 'https://github.com/Unleash/unleash-client-go'],
  ['Python', 'https://github.com/Unleash/unleash-client-python'],
  ['Ruby', 'https://github.com/Unleash/unleash-client-ruby'],
  ['.NET', 'https://github.com/Unleash/unleash-client-dotnet'],
  ['PHP', 'https://github.com/Unleash/unleash-client-php'],
] as const;

export function FooterContent({ config }: { config: UiConfig }) {
  return (
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
        {CLIENTS.map(([name, href]) => (
          <OutLink key={name} href={href} text={name} />
        ))}
      </div>
      <OperatorLinks config={config} />
    </div>
  );
}

function About({ config }: { config: UiConfig }) {
  const { slogan, environment, versionInfo } = config;
  const facts = [environment, versionInfo?.instanceId && `Instance ${versionInfo.instanceId}`].filter(Boolean);
  return (
    <div className="flex max-w-full flex-col gap-0.5">
      <p>
        <span className="font-semibold text-text">{productName(config)}</span> {versionText(config)}
        {hasUpgrade(config) && <span className="ml-2 font-semibold text-warn">Upgrade available</span>}
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

/** Only where the server looked and found something newer. */
function hasUpgrade({ versionInfo }: UiConfig): boolean {
  const { latest, isLatest } = versionInfo ?? {};
  return isLatest === false && Boolean(latest?.enterprise || latest?.oss);
}

function OperatorLinks({ config: { links = [] } }: { config: UiConfig }) {
  const usable = links.flatMap(({ href, value, title }) => {
    const safe = safeHref(href);
    return safe ? [{ href: safe, value, title }] : [];
  });
  if (usable.length === 0) return null;
  return (
    <div className="flex flex-wrap content-start gap-x-4">
      {usable.map(({ href, value, title }) => (
        <OutLink key={href} href={href} text={value} {...(title && { title })} />
      ))}
    </div>
  );
}

function OutLink({ href, text, title }: { href: string; text: string; title?: string }) {
  return (
    <a href={href} title={title} target="_blank" rel="noopener noreferrer" className={LINK}>
      {text}
    </a>
  );
}

const LINK = 'rounded-chip hover:text-text hover:underline aria-[current=page]:text-text touch:leading-11';
