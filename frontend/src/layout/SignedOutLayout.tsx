import { type ReactNode, Suspense } from 'react';
import { productName, useCachedUiConfig } from '@/api/uiConfigCache';
import { Progress } from '@/ui/Progress';
import { EnvironmentBanner } from './EnvironmentBanner';
import { Logo } from './Logo';
import { useTitle } from './useTitle';

/** Page layout for users who are not signed in. */
export function SignedOutLayout({ children }: { children: ReactNode }) {
  const product = productName(useCachedUiConfig());
  return (
    <>
      <EnvironmentBanner />
      <main className="mx-auto flex min-h-[calc(100dvh-var(--banner-height))] max-w-md flex-col justify-center gap-8 p-6">
        <title>{useTitle(['Sign out', product])}</title>
        <p className="flex items-center justify-center gap-2.5 text-[15px] [font-weight:650]">
          <Logo />
          {product}
        </p>
        <Suspense fallback={<Progress label="Loading" />}>{children}</Suspense>
      </main>
    </>
  );
}
