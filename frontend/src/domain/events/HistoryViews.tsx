import { useCanReadRecords } from '@/api/recorded';
import { clockPrompt } from '@/domain/past/clockPrompt';
import { sections } from '@/paths';
import { SectionViews } from '@/shared/SectionViews';
import { tabClass } from '@/shared/TabLinks';

const EVENTS = { ...sections.history, label: 'Events' };

/** The views of the event history, and the choice of an earlier time, whose toggles are shown. */
export function HistoryViews() {
  const canReadRecords = useCanReadRecords();
  return (
    <SectionViews label="Views" views={[EVENTS, sections.changes, sections.journal]}>
      {canReadRecords && (
        <button type="button" aria-haspopup="dialog" className={tabClass(false)} onClick={() => void clockPrompt.ask()}>
          As of…
        </button>
      )}
    </SectionViews>
  );
}
