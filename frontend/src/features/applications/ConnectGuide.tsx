import { type ReactNode, useState } from 'react';
import { settings } from '@/api/endpoints';
import type { Settings } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { baseUrl } from '@/lib/urls';
import { paths } from '@/paths';
import { copyAndNotify } from '@/shared/copyAndNotify';
import { TextLink } from '@/shared/TextLink';
import { IconButton } from '@/ui/IconButton';
import { CopyIcon } from '@/ui/icons';
import { SelectField } from '@/ui/Select';
import { type SdkApi, sdkApis, sdksOf } from './snippets';

const LABELS: { [api in SdkApi]: string } = {
  server: 'Server',
  browser: 'Browser or phone',
  openFeature: 'OpenFeature',
};

/** Instructions to connect an application, for each API and several client SDKs. */
export function ConnectGuide() {
  const [api, setApi] = useState<SdkApi>('server');
  const [chosen, setChosen] = useState('');
  const { data } = useRead(settings);
  const sdks = sdksOf[api];
  const sdk = sdks.find(({ label }) => label === chosen) ?? sdks[0];
  const urls = { base: new URL('.', baseUrl).href.replace(/\/$/, ''), api: new URL('api/', baseUrl).href };
  // An upstream has no such API that could be forwarded to.
  const isServed = api !== 'openFeature' || (data?.servesOpenFeature ?? true);
  return (
    <div className="grid gap-4 text-left">
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Application"
          value={api}
          options={sdkApis.map((value) => ({ value, label: LABELS[value] }))}
          onChange={setApi}
        />
        <SelectField
          label="Client SDK"
          value={sdk?.label ?? ''}
          options={sdks.map(({ label }) => ({ value: label, label }))}
          onChange={setChosen}
        />
      </div>
      {sdk && isServed && (
        <>
          <Code title="Install the SDK" text={sdk.install} />
          <Code title={`Evaluate a toggle (${sdk.label})`} text={sdk.code(urls)} />
        </>
      )}
      {data && <ConnectNote api={api} settings={data} />}
    </div>
  );
}

function Code({ title, text }: { title: string; text: string }) {
  return (
    <div className="min-w-0">
      <div className="mb-1 flex items-center justify-between gap-2">
        <p className="font-semibold text-secondary">{title}</p>
        <IconButton label={`Copy: ${title}`} icon={<CopyIcon />} onClick={() => void copyAndNotify(text)} />
      </div>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        tabIndex={0}
        aria-label={title}
        className="overflow-x-auto rounded-control border border-line bg-sunken p-3"
      >
        <pre className="font-mono text-label">{text}</pre>
      </section>
    </div>
  );
}

interface ConnectNoteProps {
  api: SdkApi;
  settings: Settings;
}

/** The token that an application needs, and the server that responds to it. */
function ConnectNote({ api, settings }: ConnectNoteProps) {
  return <p className="text-muted text-secondary">{noteOf(api, settings)}</p>;
}

function noteOf(api: SdkApi, settings: Settings): ReactNode {
  if (settings.mode === 'embedded') return EMBEDDED_NOTES[api];
  if (api === 'server') return serverNote(settings);
  if (api === 'browser') return settings.servesBrowsers ? FRONTEND_TOKEN_NOTE : forwardedNote(settings);
  if (!settings.servesOpenFeature) return NOT_SERVED;
  return settings.servesBrowsers ? BOTH_TOKENS_NOTE : CLIENT_TOKEN_NOTE;
}

const TOKENS_LINK = (
  <TextLink to={paths.apiTokens()} tone="accent" className="underline">
    API tokens
  </TextLink>
);

const EMBEDDED_NOTES: { [api in SdkApi]: ReactNode } = {
  server: (
    <>
      Replace <code>TOKEN</code> with a client token from {TOKENS_LINK}. Without any client tokens, leave it out.
    </>
  ),
  browser: (
    <>
      Replace <code>TOKEN</code> with a frontend token from {TOKENS_LINK} that allows the origin of your page. It is
      public.
    </>
  ),
  openFeature: (
    <>
      Replace <code>TOKEN</code> with a token from {TOKENS_LINK}: in browsers a frontend token, on servers a client
      token.
    </>
  ),
};

const FRONTEND_TOKEN_NOTE = (
  <>
    Replace <code>TOKEN</code> with a token from the file of the setting <code>frontend-tokens</code>. For a page, it
    must allow the origin of the page, and it is public.
  </>
);

const BOTH_TOKENS_NOTE = (
  <>
    {FRONTEND_TOKEN_NOTE} Servers can also send a token from the file of <code>upstream-token</code>.
  </>
);

const CLIENT_TOKEN_NOTE = (
  <>
    Replace <code>TOKEN</code> with a token from the file of the setting <code>upstream-token</code>, which servers must
    keep secret. An operator can enable pages with the setting <code>frontend-tokens</code>.
  </>
);

const NOT_SERVED = (
  <>
    This server does not serve OpenFeature clients. An operator can enable them with the settings{' '}
    <code>upstream-token</code> and <code>frontend-tokens</code>, or for servers alone <code>upstream-token</code> and{' '}
    <code>replica</code>.
  </>
);

function serverNote({ upstream, replica }: Settings) {
  return (
    <>
      {replica ? (
        <>
          This server keeps the toggles of the flag service at <code>{upstream}</code>, so that applications work while
          it does not respond.
        </>
      ) : (
        <>
          Requests to this URL are forwarded to the flag service at <code>{upstream}</code>. Applications can also
          connect to it directly.
        </>
      )}{' '}
      Replace <code>TOKEN</code> with a client token of the flag service, or leave it out if it requires none.
    </>
  );
}

function forwardedNote({ upstream }: Settings) {
  return (
    <>
      Requests to this URL are forwarded to the flag service at <code>{upstream}</code>. Replace <code>TOKEN</code> with
      a frontend token of it. Unleash offers this API from version 4.16 on.
    </>
  );
}
