import type { ComponentProps, ReactNode } from 'react';
import { cx } from '@/lib/cx';
import { Popover } from '@/ui/Popover';

interface Props extends Pick<ComponentProps<typeof Popover>, 'label' | 'children'> {
  text: ReactNode;
  isWarning?: boolean;
}

/** Popover whose button looks like the links of the footer. */
export function FooterPopover({ label, text, isWarning = false, children }: Props) {
  return (
    <Popover
      label={label}
      text={
        <span
          className={cx(
            'font-normal text-label underline decoration-dotted underline-offset-2',
            isWarning && 'text-warn',
          )}
        >
          {text}
        </span>
      }
      variant="ghost"
      size="small"
      className="-mx-2.5 -my-0.5"
    >
      {children}
    </Popover>
  );
}
