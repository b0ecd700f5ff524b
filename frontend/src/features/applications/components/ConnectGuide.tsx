import { useState } from 'react';
import { settings } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import { baseUrl } from '@/lib/urls';
import { paths } from '@/paths';
import { copyAndNotify } from '@/shared/copyAndNotify';
import { TextLink } from '@/shared/TextLink';
import { IconButton } from '@/ui/IconButton';
import { CopyIcon } from '@/ui/icons';
import { SelectField } from '@/ui/SelectField';
import { type SdkLanguage, sdkLanguages, sdkSnippet } from '../snippets';

/** Instructions to connect an application, for several languages. */
export function ConnectGuide() {
  const [library, setLibrary] = useState<SdkLanguage>('node');
  const { data } = useRead(settings);
  const api = new URL('api/', baseUrl).href;
  const { label, install, code } = sdkSnippet(library, api);
  return (
    <div className="grid gap-4 text-left">
      <SelectField
        label="Client SDK"
        value={library}
        options={sdkLanguages.map((value) => ({ value, label: sdkSnippet(value, api).label }))}
        onChange={setLibrary}
      />
      <Code title="Install the SDK" text={install} />
      <Code title={`Evaluate a toggle (${label})`} text={code} />
      <p className="text-muted text-secondary">
        {data?.mode === 'embedded' ? (
          <>
            If client tokens are in use, send a token in the <code>Authorization</code> header. Most SDKs call it a
            custom header. Create one under{' '}
            <TextLink to={paths.apiTokens()} tone="accent" className="underline">
              API tokens
            </TextLink>
            .
          </>
        ) : (
          <>
            Requests to this URL are forwarded to the flag service at <code>{data?.upstream}</code>. Applications can
            also connect to it directly. If it requires a token, send the token in the <code>Authorization</code>{' '}
            header.
          </>
        )}
      </p>
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
