import { createUserStore } from '@/lib/store';
import { onRead } from './client';
import { featureMetrics } from './endpoints';
import type { ToggleMetrics } from './generated/types';

/** The newest poll of the metrics of all toggles, and its time. */
export const metricsPoll = createUserStore<{ at: number; metrics: ToggleMetrics } | undefined>(undefined);

onRead(featureMetrics, (metrics) => metricsPoll.set({ at: Date.now(), metrics }));
