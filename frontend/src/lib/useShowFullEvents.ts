import { useState } from 'react';
import { readSettings, writeSettings } from './localSettings';

const group = 'history';

/** Whether events are shown whole or as what they changed: kept in this browser. */
export function useShowFullEvents() {
  const [showData, setShowData] = useState(() => readSettings(group, { showData: false }).showData);
  function change(next: boolean) {
    setShowData(next);
    writeSettings(group, { showData: next });
  }
  return [showData, change] as const;
}
