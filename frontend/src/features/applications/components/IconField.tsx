import { useState } from 'react';
import { cx } from '@/lib/cx';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { fieldLabelClass } from '@/ui/fieldClass';
import { AppIcon } from './AppIcon';
import { IconPicker } from './IconPicker';

interface Props {
  value: string;
  onChange: (icon: string) => void;
}

export function IconField({ value, onChange }: Props) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <fieldset className="grid min-w-0 justify-items-start">
      <legend className={cx(fieldLabelClass, 'mb-1.5')}>Icon</legend>
      <div className="flex flex-wrap items-center gap-2.5">
        <AppIcon name={value} />
        <span className="wrap-anywhere min-w-0">{value}</span>
        <Button size="small" aria-label={`Choose an icon, now ${value}`} onClick={() => setOpen(true)}>
          Choose…
        </Button>
      </div>
      <Dialog open={open} title="Choose an icon" onClose={close} actions={<Button onClick={close}>Cancel</Button>}>
        <IconPicker
          value={value}
          onChoose={(icon) => {
            onChange(icon);
            close();
          }}
        />
      </Dialog>
    </fieldset>
  );
}
