// The pages of the event history. They are composed here, because features do not import each other.
import { HistoryPage as AllEventsPage, ToggleHistoryPage as ToggleEventsPage } from '@/features/history/HistoryPage';
import { AllChangeActions, changeActions, ToggleChangeActions } from '@/features/toggles/log/ChangeActions';
import { useRouteParams } from '@/shared/useRouteParams';

export function HistoryPage() {
  return (
    <AllChangeActions>
      <AllEventsPage actions={changeActions} />
    </AllChangeActions>
  );
}

export function ToggleHistoryPage() {
  const { name = '' } = useRouteParams();
  return (
    <ToggleChangeActions key={name} name={name}>
      <ToggleEventsPage actions={changeActions} />
    </ToggleChangeActions>
  );
}
