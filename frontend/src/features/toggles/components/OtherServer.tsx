import type { ReactNode } from 'react';
import { useUnsupportedServer } from '@/api/unsupportedServer';
import { NoCounts } from './NoCounts';
import { UnfitServer } from './UnfitServer';

interface Props {
  children: ReactNode;
}

/** Around a list of a server that counts calls in another way: the list, or what else that server lacks. */
export function OtherServer({ children }: Props) {
  const unfit = useUnsupportedServer();
  if (unfit) return <UnfitServer error={unfit} />;
  return (
    <div className="grid gap-3">
      <NoCounts />
      {children}
    </div>
  );
}

/** Around what is offered beside it: nothing where it would not work. */
export function WhereFit({ children }: Props) {
  return useUnsupportedServer() ? null : children;
}
