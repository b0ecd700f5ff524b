// Formats measurements with the goals and the figures of other consoles, measured with 2,000 toggles on a 3.17.6 server.

const LINES = {
  cold: {
    label: 'first row, nothing cached (ms)',
    goal: '500',
    goalLarge: '1,000',
    oldConsole: '13,600',
    unleash8: '4,200',
  },
  warm: {
    label: 'reload to first row (ms)',
    goal: '500',
    goalLarge: '1,000',
    oldConsole: '7,400 to 13,600',
    unleash8: '2,000 to 2,500',
  },
  slow: {
    label: 'first row over 10 Mbit/s and 40 ms (ms)',
    goal: '1,000',
    goalLarge: '2,000',
    oldConsole: '',
    unleash8: '',
  },
  nodes: { label: 'DOM nodes', goal: '1,500', oldConsole: '44,577', unleash8: '1,521' },
  heap: { label: 'JS heap after collection (MB)', goal: '30', goalLarge: '60', oldConsole: '182', unleash8: '58' },
  task: { label: 'longest task in 15 s of polls (ms)', goal: '50', oldConsole: '3,700', unleash8: '' },
  firstSearch: { label: 'first search, after the debounce (ms)', goal: '100', oldConsole: '13,000', unleash8: '' },
  search: { label: 'search, after the debounce, median (ms)', goal: '100', oldConsole: '13,000', unleash8: '' },
  bytes: {
    label: 'JS and CSS before the first row (kB)',
    goal: '120',
    oldConsole: '329 (gzip)',
    unleash8: '4,200 (raw)',
  },
  foreignRequests: { label: 'requests to other origins', goal: '0', oldConsole: 'fonts, icons', unleash8: '' },
} as const;

export interface Figure {
  id: keyof typeof LINES;
  value: number;
  /** True if measured with 10,000 toggles, for which some goals are wider. */
  isLarge?: boolean;
}

const HEAD = ['', 'Flagdeck', 'goal', 'old console', 'Unleash 8'];
const WIDTHS = [42, 10, 8, 17, 16];

export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ id, value, isLarge }) => {
    const line = LINES[id];
    const goal = isLarge && 'goalLarge' in line ? line.goalLarge : line.goal;
    const met = value <= Number(goal.replace(',', ''));
    const shown = value < 200 && !Number.isInteger(value) ? value.toFixed(1) : Math.round(value).toLocaleString('en');
    return [line.label, shown + (met ? '' : ' !'), goal, line.oldConsole, line.unleash8];
  });
  return `${[HEAD, ...rows].map(columns).join('\n')}\n`;
}

function columns(cells: readonly string[]): string {
  return cells.map((cell, at) => (at === 0 ? cell.padEnd(WIDTHS[at] ?? 0) : cell.padStart(WIDTHS[at] ?? 0))).join(' ');
}
