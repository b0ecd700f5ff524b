import { useCanReadRecords } from '@/api/recorded';
import { ClockIcon } from '@/ui/icons';
import { lazyDialog } from '@/ui/lazy';
import { Popover } from '@/ui/Popover';

const ClockForm = lazyDialog(() => import('./ClockForm'), 'ClockForm');

/** Shows the page as of an earlier time. Nothing if the user cannot see earlier states. */
export function ClockButton() {
  if (!useCanReadRecords()) return null;
  return (
    <Popover
      label="As of an earlier time"
      icon={<ClockIcon />}
      text={<span className="max-sm:sr-only">As of…</span>}
      className="max-sm:w-touch max-sm:px-0"
    >
      {() => <ClockForm />}
    </Popover>
  );
}
