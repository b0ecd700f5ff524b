import { EmptyState } from '@/ui/EmptyState';
import { ApplicationIcon } from '@/ui/icons';
import { ConnectGuide } from './ConnectGuide';

export function NoApplications() {
  return (
    <>
      <EmptyState icon={<ApplicationIcon size={20} />} title="No applications">
        Connect a client SDK. An application is listed here with its toggles shortly after it first requests them.
      </EmptyState>
      <div className="mx-auto -mt-6 max-w-160 px-2 pb-8">
        <ConnectGuide />
      </div>
    </>
  );
}
