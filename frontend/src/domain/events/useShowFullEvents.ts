import { useState } from 'react';
import { readSettings, writeSettings } from '@/lib/localSettings';

const group = 'history';

/** Preference: show full events instead of their changes. Stored in this browser. */
export function useShowFullEvents() {
  const [showData, setShowData] = useState(() => readSettings(group, { showData: false }).showData);
  function change(next: boolean) {
    setShowData(next);
    writeSettings(group, { showData: next });
  }
  return [showData, change] as const;
}
