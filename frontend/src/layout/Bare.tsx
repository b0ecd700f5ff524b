import { type ReactNode, Suspense } from 'react';
import { cachedUiConfig, productName } from '@/lib/uiConfigCache';
import { Progress } from '@/ui/Progress';
import { Mark } from './Mark';

/** A page for those who are not signed in. */
export function Bare({ children }: { children: ReactNode }) {
  const product = productName(cachedUiConfig());
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-8 p-6">
      <title>{`Sign out - ${product}`}</title>
      <p className="flex items-center justify-center gap-2.5 text-[15px] [font-weight:650]">
        <Mark />
        {product}
      </p>
      <Suspense fallback={<Progress label="Loading" />}>{children}</Suspense>
    </main>
  );
}
