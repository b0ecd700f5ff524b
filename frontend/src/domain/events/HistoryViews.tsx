import { useCanReadRecords } from '@/api/recorded';
import { clockPrompt } from '@/domain/past/clockPrompt';
import { sections } from '@/paths';
import { SectionViews } from '@/shared/SectionViews';
import { Button } from '@/ui/Button';
import { ClockIcon } from '@/ui/icons';

const EVENTS = { ...sections.history, label: 'Events' };

/** The views of the event history, and the toggles as of an earlier time. */
export function HistoryViews() {
  const canReadRecords = useCanReadRecords();
  return (
    <SectionViews label="Views" views={[EVENTS, sections.changes, sections.journal]}>
      {canReadRecords && (
        <Button
          variant="ghost"
          size="small"
          icon={<ClockIcon />}
          className="max-sm:w-touch max-sm:px-0"
          aria-haspopup="dialog"
          onClick={() => void clockPrompt.ask()}
        >
          <span className="max-sm:sr-only">As of…</span>
        </Button>
      )}
    </SectionViews>
  );
}
