import { useState } from 'react';
import { copyAndNotify } from '@/shared/copyAndNotify';
import { Button } from '@/ui/Button';
import { IconButton } from '@/ui/IconButton';
import { CloseIcon, CopyIcon } from '@/ui/icons';
import { Select } from '@/ui/Select';
import { sdksOf } from './snippets';

interface Props {
  toggle: string;
  /** Opens the complete instructions. */
  onConnect: () => void;
  onClose: () => void;
}

/** SDKs with the same packages have the same expression. */
const SDKS = [...sdksOf.server, ...sdksOf.browser].filter(
  ({ install }, at, all) => all.findIndex((other) => other.install === install) === at,
);

/** The expression that evaluates a new toggle, in one line. */
export function UseLine({ toggle, onConnect, onClose }: Props) {
  const [chosen, setChosen] = useState(SDKS[0]?.label ?? '');
  const code = SDKS.find(({ label }) => label === chosen)?.call(toggle) ?? '';
  return (
    <section aria-label="Use it in code" className={LINE}>
      <span className="font-semibold text-secondary max-sm:min-h-9 max-sm:basis-full max-sm:content-center">
        Use it in code:
      </span>
      <code className="wrap-anywhere min-w-0 font-mono text-label">{code}</code>
      <Select
        label="Client SDK"
        hideLabel
        value={chosen}
        options={SDKS.map(({ label }) => ({ value: label, label }))}
        onChange={setChosen}
      />
      <Button size="small" icon={<CopyIcon size={15} />} onClick={() => void copyAndNotify(code)}>
        Copy
      </Button>
      <Button size="small" variant="ghost" onClick={onConnect}>
        Connect…
      </Button>
      <span className="absolute top-1 right-1.5">
        <IconButton label="Close “Use it in code”" icon={<CloseIcon size={17} />} onClick={onClose} />
      </span>
    </section>
  );
}

const LINE =
  'relative mb-4 flex min-h-11 flex-wrap items-center gap-x-2.5 gap-y-1.5 rounded-card border border-line bg-surface py-1 pl-4 sm:pr-12 max-sm:pr-3 shadow-card max-sm:mt-2';
