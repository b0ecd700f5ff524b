import { type ReactNode, useEffect, useState } from 'react';
import { onIdle } from '@/lib/onIdle';
import { Part } from './Part';

/** For what nobody sees at first: drawing it earlier would fetch its code before the page's own data. */
export function WhenIdle({ children }: { children: ReactNode }) {
  const [isIdle, setIdle] = useState(false);
  // The browser alone knows when it is idle.
  useEffect(() => onIdle(() => setIdle(true)), []);
  return isIdle && <Part quiet>{children}</Part>;
}
