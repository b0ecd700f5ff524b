// Prints measurements beside the goals and the figures of other consoles, measured with 2,000 toggles on a 3.17.6 server.

const LINES = {
  cold: { what: 'first row, nothing cached (ms)', goal: '500', ten: '1,000', old: '13,600', eight: '4,200' },
  warm: {
    what: 'reload to first row (ms)',
    goal: '500',
    ten: '1,000',
    old: '7,400 to 13,600',
    eight: '2,000 to 2,500',
  },
  slow: { what: 'first row over 10 Mbit/s and 40 ms (ms)', goal: '1,000', ten: '2,000', old: '', eight: '' },
  nodes: { what: 'DOM nodes', goal: '1,500', old: '44,577', eight: '1,521' },
  heap: { what: 'JS heap after collection (MB)', goal: '30', ten: '60', old: '182', eight: '58' },
  task: { what: 'longest task in 15 s of polls (ms)', goal: '50', old: '3,700', eight: '' },
  firstSearch: { what: 'first search, after the debounce (ms)', goal: '100', old: '13,000', eight: '' },
  search: { what: 'search, after the debounce, median (ms)', goal: '100', old: '13,000', eight: '' },
  bytes: { what: 'JS and CSS before the first row (kB)', goal: '120', old: '329 (gzip)', eight: '4,200 (raw)' },
  strangers: { what: 'requests to other origins', goal: '0', old: 'fonts, icons', eight: '' },
} as const;

export interface Figure {
  id: keyof typeof LINES;
  value: number;
  /** Measured with 10,000 toggles, which have wider limits for some goals. */
  ten?: boolean;
}

const HEAD = ['', 'Flagdeck', 'goal', 'old console', 'Unleash 8'];
const WIDTHS = [42, 10, 8, 17, 16];

export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ id, value, ten }) => {
    const line = LINES[id];
    const goal = ten && 'ten' in line ? line.ten : line.goal;
    const met = value <= Number(goal.replace(',', ''));
    const shown = value < 200 && !Number.isInteger(value) ? value.toFixed(1) : Math.round(value).toLocaleString('en');
    return [line.what, shown + (met ? '' : ' !'), goal, line.old, line.eight];
  });
  return `${[HEAD, ...rows].map(columns).join('\n')}\n`;
}

function columns(cells: readonly string[]): string {
  return cells.map((cell, at) => (at === 0 ? cell.padEnd(WIDTHS[at] ?? 0) : cell.padStart(WIDTHS[at] ?? 0))).join(' ');
}
