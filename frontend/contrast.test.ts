// Contrast of the colours in styles.css, in both themes: 4.5 for text, and 3 for edges and marks of controls (WCAG 2.2 AA).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = join(import.meta.dirname, 'src');
const PAGE = ['bg', 'surface', 'sunken'];

/** The colours of texts, each with the backgrounds on which the console shows it. `line/50` is half transparent. */
const TEXTS: Record<string, readonly string[]> = {
  text: [...PAGE, 'line', 'accent-soft', 'dirty-soft', 'danger-soft', 'warn-soft'],
  muted: [...PAGE, 'chip', 'line/50', 'accent-soft', 'dirty-soft'],
  faint: [...PAGE],
  accent: [...PAGE, 'accent-soft'],
  on: [...PAGE, 'on-soft'],
  warn: [...PAGE, 'warn-soft'],
  danger: [...PAGE, 'danger-soft'],
  dirty: ['bg', 'surface', 'dirty-soft'],
  'on-accent': ['accent', 'accent-strong', 'dirty'],
  surface: ['danger'],
  'on-inverse': ['inverse'],
  'on-mark': ['inverse'],
  'on-avatar': ['avatar'],
  'on-alarm': ['alarm'],
  knob: ['switch-on', 'switch-locked'],
  'knob-mark': ['knob'],
};

/** The colours of edges, marks and focus rings of controls, each with its neighbouring colours. */
const CONTROLS: Record<string, readonly string[]> = {
  'line-control': [...PAGE, 'accent-soft'],
  accent: [...PAGE, 'accent-soft', 'line'],
  muted: ['surface', 'bg', 'line'],
  knob: ['off', 'switch-on', 'switch-locked'],
  'switch-on': PAGE,
  'switch-locked': PAGE,
  'on-accent': ['accent', 'muted'],
  surface: ['muted'],
  on: PAGE,
  warn: PAGE,
  danger: PAGE,
  dirty: ['bg', 'surface'],
  'on-inverse': ['inverse'],
  'on-mark': ['inverse'],
  'danger-inverse': ['inverse'],
};

const css = readFileSync(join(FOLDER, 'styles.css'), 'utf8');
const light = readTokens(':root');
const THEMES = { light, dark: { ...light, ...readTokens('.dark') } };

/** Returns the colours that the first rule with this selector defines. */
function readTokens(selector: string): Record<string, string> {
  const start = css.indexOf(`\n${selector} {`);
  const rule = css.slice(start, css.indexOf('\n}', start));
  return Object.fromEntries([...rule.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex]));
}

type Colour = [red: number, green: number, blue: number];

function parseColour(tokens: Record<string, string>, name: string): Colour {
  const [token = '', percent] = name.split('/');
  const hex = tokens[token];
  if (hex === undefined) throw new Error(`styles.css does not define --${token}`);
  const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  const colour: Colour = [channel(1), channel(3), channel(5)];
  if (percent === undefined) return colour;
  const below = parseColour(tokens, 'surface');
  const opacity = Number(percent) / 100;
  return colour.map((value, index) => value * opacity + (below[index] ?? 0) * (1 - opacity)) as Colour;
}

/** Contrast of two colours, from 1 to 21. */
function contrast(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the pairs with too little contrast, such as `faint on sunken: 4.41`. */
function findFaintPairs(pairs: Record<string, readonly string[]>, tokens: Record<string, string>, minimum: number) {
  return Object.entries(pairs).flatMap(([name, backgrounds]) =>
    backgrounds
      .map((background) => [background, contrast(parseColour(tokens, name), parseColour(tokens, background))] as const)
      .filter(([, ratio]) => ratio < minimum)
      .map(([background, ratio]) => `${name} on ${background}: ${ratio.toFixed(2)}`),
  );
}

test.each(Object.entries(THEMES))('text has a contrast of at least 4.5 in the %s theme', (_theme, tokens) => {
  expect(findFaintPairs(TEXTS, tokens, 4.5)).toEqual([]);
});

test.each(Object.entries(THEMES))(
  'edges and marks of controls have a contrast of at least 3 in the %s theme',
  (_, tokens) => {
    expect(findFaintPairs(CONTROLS, tokens, 3)).toEqual([]);
  },
);

test('the table contains every text colour that a component uses', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const code = files
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(FOLDER, file), 'utf8'));
  const used = code.flatMap((text) =>
    [...text.matchAll(/[\s'"`:]text-([a-z-]+)(?=[\s'"`])/g)].map(([, name]) => name ?? ''),
  );
  const colours = new Set(used.filter((name) => name in light));
  expect([...colours].sort()).toEqual(Object.keys(TEXTS).sort());
});
