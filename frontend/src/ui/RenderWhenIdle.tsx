import { type ReactNode, useEffect, useState } from 'react';
import { onIdle } from '@/lib/onIdle';
import { LazyBoundary } from './LazyBoundary';

/** For what nobody sees at first: drawing it earlier would fetch its code before the page's own data. */
export function RenderWhenIdle({ children }: { children: ReactNode }) {
  const [isIdle, setIdle] = useState(false);
  // The browser alone knows when it is idle.
  useEffect(() => onIdle(() => setIdle(true)), []);
  return isIdle && <LazyBoundary isSilent>{children}</LazyBoundary>;
}
