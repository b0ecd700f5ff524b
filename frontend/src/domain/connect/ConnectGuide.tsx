import { type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import { settings } from '@/api/endpoints';
import type { Settings, Toggle, TokenKind } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { useToggleList } from '@/api/toggles';
import { newSecrets, useSecretGuard } from '@/domain/apiTokens/newSecrets';
import { baseUrl } from '@/lib/urls';
import { useIsMounted } from '@/lib/useIsMounted';
import { paths } from '@/paths';
import { copyAndNotify } from '@/shared/copyAndNotify';
import { TextLink } from '@/shared/TextLink';
import { IconButton } from '@/ui/IconButton';
import { CopyIcon } from '@/ui/icons';
import { SelectField } from '@/ui/Select';
import { TextField } from '@/ui/TextField';
import { ConnectionStatus } from './ConnectionStatus';
import { type SdkApi, sdkApis, sdksOf } from './snippets';
import { NewToken, TokenField } from './TokenField';

const LABELS: { [api in SdkApi]: string } = {
  server: 'Server',
  browser: 'Browser or phone',
  openFeature: 'OpenFeature',
};

interface GuideProps {
  /** The toggle that the code evaluates. Without it, the user enters one. */
  toggle?: string;
}

/**
 * Instructions to connect an application, for each API and several client SDKs. The code contains the names and the token,
 * so that it works without an edit, and the last line states when the application has connected.
 */
export function ConnectGuide({ toggle: fixedToggle }: GuideProps) {
  const [api, setApi] = useState<SdkApi>('server');
  const [chosen, setChosen] = useState('');
  const [enteredApp, setApp] = useState(DEFAULT_APP);
  const [enteredToggle, setToggle] = useState<string>();
  const [tokens, setTokens] = useState<Partial<Record<TokenKind, string>>>(getNewSecrets);
  useSecretGuard();
  const isMounted = useIsMounted();
  const copyButton = useRef<HTMLButtonElement>(null);
  const { data } = useRead(settings);
  const list = useToggleList(fixedToggle === undefined).data?.features ?? [];
  const sdks = sdksOf[api];
  const sdk = sdks.find(({ label }) => label === chosen) ?? sdks[0];
  const kind = sdk?.tokenKind ?? 'client';
  const app = enteredApp.trim() || DEFAULT_APP;
  const toggle = fixedToggle ?? (enteredToggle?.trim() || list[0]?.name || DEFAULT_TOGGLE);
  const token = tokens[kind] ?? '';
  const setToken = (secret: string, of: TokenKind = kind) => setTokens((before) => ({ ...before, [of]: secret }));
  const values = {
    base: new URL('.', baseUrl).href.replace(/\/$/, ''),
    api: new URL('api/', baseUrl).href,
    app,
    toggle,
    token: token || 'TOKEN',
  };
  // An upstream has no such API that could be forwarded to.
  const isServed = api !== 'openFeature' || (data?.servesOpenFeature ?? true);
  const hasName = api !== 'openFeature';
  const canCreate = isServed && data?.mode === 'embedded' && token === '';
  const tokenField = <TokenField value={token} onChange={setToken} />;
  return (
    <div className="grid gap-4 text-left" onCopy={newSecrets.noteCopyEvent}>
      <div className="grid grid-cols-2 gap-4 max-sm:gap-3">
        <SelectField
          label="Runs on"
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
        {isServed && hasName && (
          <TextField label="Application name" autoComplete="off" value={enteredApp} onChange={setApp} />
        )}
        {isServed && fixedToggle === undefined && (
          <ToggleField toggles={list} value={enteredToggle ?? toggle} onChange={setToggle} />
        )}
        {isServed && (
          // In a row of its own if the fields before it fill their rows.
          <div className={hasName === (fixedToggle === undefined) ? 'col-span-2' : 'max-sm:col-span-2'}>
            {canCreate ? (
              <NewToken
                key={kind}
                field={tokenField}
                kind={kind}
                app={app}
                onCreate={(secret) => {
                  setToken(secret, kind);
                  if (sdk && isMounted.current) void copy(sdk.code({ ...values, token: secret }));
                }}
                copyButton={copyButton}
              />
            ) : (
              tokenField
            )}
          </div>
        )}
      </div>
      {data && <ConnectNote api={api} settings={data} kind={kind} hasToken={token !== ''} />}
      {sdk && isServed && (
        <>
          <Code title="Install the SDK" text={sdk.install} />
          <Code title={`Evaluate a toggle (${sdk.label})`} text={sdk.code(values)} copyButton={copyButton} />
          {hasName && <ConnectionStatus app={app} toggle={toggle} />}
        </>
      )}
    </div>
  );
}

/** Copies code. The secret in it is then no longer about to be lost. */
async function copy(text: string): Promise<void> {
  if (await copyAndNotify(text)) newSecrets.noteCopied(text);
}

/** The secrets that a guide created before it was closed. */
function getNewSecrets(): Partial<Record<TokenKind, string>> {
  return Object.fromEntries(newSecrets.get().map(({ kind, secret }) => [kind, secret]));
}

const DEFAULT_APP = 'my-app';
/** Stands for a toggle while there are none. */
const DEFAULT_TOGGLE = 'my.toggle';

interface ToggleFieldProps {
  toggles: readonly Toggle[];
  value: string;
  onChange: (name: string) => void;
}

function ToggleField({ toggles, value, onChange }: ToggleFieldProps) {
  const id = useId();
  return (
    <>
      <TextField label="Toggle" autoComplete="off" list={id} value={value} onChange={onChange} />
      <datalist id={id}>
        {toggles.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

interface CodeProps {
  title: string;
  text: string;
  copyButton?: RefObject<HTMLButtonElement | null>;
}

function Code({ title, text, copyButton }: CodeProps) {
  return (
    <div className="min-w-0">
      <div className="mb-1 flex items-center justify-between gap-2">
        <p className="font-semibold text-secondary">{title}</p>
        <IconButton ref={copyButton} label={`Copy: ${title}`} icon={<CopyIcon />} onClick={() => void copy(text)} />
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
  kind: TokenKind;
  /** The code contains a token. */
  hasToken: boolean;
}

/** The token that an application needs, and the server that responds to it. */
function ConnectNote(props: ConnectNoteProps) {
  return <p className="text-muted text-secondary">{noteOf(props)}</p>;
}

function noteOf({ api, settings, kind, hasToken }: ConnectNoteProps): ReactNode {
  if (settings.mode === 'embedded') return hasToken ? SECRET_NOTES[kind] : EMBEDDED_NOTES[api];
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
  server: <>Create a token, or enter a client token from {TOKENS_LINK}.</>,
  browser: (
    <>Create a token, or enter a frontend token from {TOKENS_LINK} that allows the origin of your page. It is public.</>
  ),
  openFeature: (
    <>Create a token, or enter one from {TOKENS_LINK}: in browsers a frontend token, on servers a client token.</>
  ),
};

const SECRET_NOTES: { [kind in TokenKind]: ReactNode } = {
  client: 'The code contains the token. Copy it now and keep it secret: the token cannot be shown again.',
  frontend: 'The code contains the token. Copy it now: the token cannot be shown again. It is public in your page.',
};

const FRONTEND_TOKEN_NOTE = (
  <>
    Enter a frontend token of the flag service if the setting <code>frontend-origin</code> is on, or one from the file
    of <code>frontend-tokens</code>. For a page, it must allow the origin of the page, and it is public.
  </>
);

const BOTH_TOKENS_NOTE = (
  <>
    {FRONTEND_TOKEN_NOTE} Servers can also send a token from the file of <code>upstream-token</code>.
  </>
);

const CLIENT_TOKEN_NOTE = (
  <>
    Enter a token from the file of the setting <code>upstream-token</code>, which servers must keep secret. An operator
    can enable pages with the setting <code>frontend-origin</code>.
  </>
);

const NOT_SERVED = (
  <>
    This server does not serve OpenFeature clients. An operator can enable them with the settings{' '}
    <code>upstream-token</code> and <code>frontend-origin</code>, or for servers alone <code>upstream-token</code> and{' '}
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
      Enter a client token of the flag service, unless it requires none.
    </>
  );
}

function forwardedNote({ upstream }: Settings) {
  return (
    <>
      Requests to this URL are forwarded to the flag service at <code>{upstream}</code>. Enter a frontend token of it.
      Unleash offers this API from version 4.16 on.
    </>
  );
}
