// The pages of the event history. They are composed here, because features do not import each other.
import { HistoryPage as AllEventsPage } from '@/features/history/HistoryPage';
import { ToggleHistoryPage as ToggleEventsPage } from '@/features/history/ToggleHistoryPage';
import { ChangeActions } from '@/features/toggles/log/ChangeActions';

export function HistoryPage() {
  return <AllEventsPage Actions={ChangeActions} />;
}

export function ToggleHistoryPage() {
  return <ToggleEventsPage Actions={ChangeActions} />;
}
