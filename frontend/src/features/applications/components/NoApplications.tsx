import { AppWindow } from 'lucide-react';
import { EmptyState } from '@/ui/EmptyState';
import { ConnectGuide } from './ConnectGuide';

export function NoApplications() {
  return (
    <>
      <EmptyState
        icon={<AppWindow size={20} strokeWidth={1.75} aria-hidden="true" />}
        title="No application has reported"
      >
        Connect a client SDK: an application that asks this server for its toggles shows up here a moment after it
        started, with the toggles that it uses.
      </EmptyState>
      <div className="mx-auto -mt-6 max-w-160 px-2 pb-8">
        <ConnectGuide />
      </div>
    </>
  );
}
