import { createStore } from '@/lib/store';
import type { ToggleMetrics } from './generated/types';

/** The newest poll of the metrics of all toggles, and its time. */
export const metricsPoll = createStore<{ at: number; metrics: ToggleMetrics } | undefined>(undefined);
