import { Copy } from 'lucide-react';
import { useState } from 'react';
import { settings } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import { copyAndTell } from '@/shared/copyAndTell';
import { IconButton } from '@/ui/IconButton';
import { SelectField } from '@/ui/SelectField';
import { type SdkLanguage, sdkLanguages, sdkSnippet } from '../snippets';

/** How an application finds this server, in the language that it is written in. */
export function ConnectGuide() {
  const [library, setLibrary] = useState<SdkLanguage>('node');
  const { data } = useRead(settings);
  const api = new URL('api/', document.baseURI).href;
  const { label, install, code } = sdkSnippet(library, api);
  return (
    <div className="grid gap-4 text-left">
      <SelectField
        label="Client library"
        value={library}
        options={sdkLanguages.map((value) => ({ value, label: sdkSnippet(value, api).label }))}
        onChange={setLibrary}
      />
      <Code title="Add the library" text={install} />
      <Code title={`Ask for a toggle (${label})`} text={code} />
      <p className="text-muted text-secondary">
        {data?.mode === 'embedded' ? (
          <>
            Once somebody has created a token for client libraries, send it as the header <code>Authorization</code>,
            which most libraries call a custom header.
          </>
        ) : (
          <>
            Calls to this address are passed on to the flag service at <code>{data?.upstream}</code>. Applications that
            reach it may as well ask it directly. If it asks for a token, send it as the header{' '}
            <code>Authorization</code>.
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
        <IconButton
          label={`Copy: ${title}`}
          icon={<Copy size={16} strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => void copyAndTell(text)}
        />
      </div>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable without a mouse.
        tabIndex={0}
        aria-label={title}
        className="overflow-x-auto rounded-control border border-line bg-sunken p-3"
      >
        <pre className="font-mono text-label">{text}</pre>
      </section>
    </div>
  );
}
