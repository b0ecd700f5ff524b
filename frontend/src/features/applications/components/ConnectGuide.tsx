import { useState } from 'react';
import { settings } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import { baseUrl } from '@/lib/urls';
import { copyAndNotify } from '@/shared/copyAndNotify';
import { IconButton } from '@/ui/IconButton';
import { CopyIcon } from '@/ui/icons';
import { SelectField } from '@/ui/SelectField';
import { type SdkApi, sdkApis, sdksOf } from '../snippets';
import { ConnectNote } from './ConnectNote';

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
