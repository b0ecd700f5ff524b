import { type ReactNode, useEffect, useState } from 'react';
import { onIdle } from '@/lib/onIdle';
import { LazyBoundary } from './LazyBoundary';

/** Renders secondary content when the browser is idle, so that its code does not load before the page's data. */
export function RenderWhenIdle({ children }: { children: ReactNode }) {
  const [isIdle, setIdle] = useState(false);
  // Idle time is known only to the browser.
  useEffect(() => onIdle(() => setIdle(true)), []);
  return isIdle && <LazyBoundary isSilent>{children}</LazyBoundary>;
}
