import { type ReactNode, Suspense } from 'react';
import { productName, useCachedUiConfig } from '@/api/uiConfigCache';
import { Progress } from '@/ui/Progress';
import { EnvironmentChips, EnvironmentLine } from './Environment';
import { Logo } from './Logo';
import { useTitle } from './useTitle';

/** Page layout for users who are not signed in. */
export function SignedOutLayout({ children }: { children: ReactNode }) {
  const product = productName(useCachedUiConfig());
  return (
    <>
      <EnvironmentLine />
      <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-8 p-6">
        <title>{useTitle(['Sign out', product])}</title>
        <div className="flex flex-wrap items-center justify-center gap-2.5">
          <Logo />
          <span className="text-[15px] [font-weight:650]">{product}</span>
          <EnvironmentChips />
        </div>
        <Suspense fallback={<Progress label="Loading" />}>{children}</Suspense>
      </main>
    </>
  );
}
