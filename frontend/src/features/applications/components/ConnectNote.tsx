import type { ReactNode } from 'react';
import type { Settings } from '@/api/generated/types';
import { paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import type { SdkApi } from '../snippets';

interface Props {
  api: SdkApi;
  settings: Settings;
}

/** The token that an application needs, and the server that responds to it. */
export function ConnectNote({ api, settings }: Props) {
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
