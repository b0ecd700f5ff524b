import type { ReactNode } from 'react';
import { useUnfit } from '@/api/unfit';
import { NoCounts } from './NoCounts';
import { UnfitServer } from './UnfitServer';

/** Around a list of a server that counts calls in another way: the list, or what else that server lacks. */
export function OtherServer({ children }: { children: ReactNode }) {
  const unfit = useUnfit();
  if (unfit) return <UnfitServer error={unfit} />;
  return (
    <div className="grid gap-3">
      <NoCounts />
      {children}
    </div>
  );
}
