// Checks the contrast and the differences of the variant colours in `styles.css`.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Variant } from '@/api/generated/types';
import { getVariantColour, VARIANT_COLOURS, variantColour } from '@/features/toggles/variants/ToggleVariants';

const styles = readFileSync('src/styles.css', 'utf8');

type Triple = readonly [number, number, number];

const THEMES = { light: ':root', dark: '.dark' } as const;
type Theme = keyof typeof THEMES;

/** Returns a colour token of a theme as linear RGB. */
function readToken(theme: Theme, name: string): Triple {
  const block = styles.split(`\n${THEMES[theme]} {`)[1]?.split('\n}')[0] ?? '';
  const hex = new RegExp(`${name}: #([0-9a-f]{6})`, 'u').exec(block)?.[1];
  if (!hex) throw new Error(`The theme ${theme} has no colour ${name}`);
  return mapTriple([0, 2, 4], (start) => linearize(Number.parseInt(hex.slice(start, start + 2), 16) / 255));
}

const mapTriple = ([a, b, c]: Triple, change: (value: number) => number): Triple => [change(a), change(b), change(c)];

function linearize(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}

/** Contrast ratio of WCAG 2. */
function contrast(one: Triple, other: Triple): number {
  const luminance = ([r, g, b]: Triple) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

type Matrix = readonly [Triple, Triple, Triple];

const multiply = ([r, g, b]: Matrix, colour: Triple): Triple =>
  mapTriple([dot(r, colour), dot(g, colour), dot(b, colour)], (value) => value);
const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Complete colour blindness as simulated by Machado et al. (2009), for linear RGB. */
const VISION: Record<string, Matrix> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const RGB_TO_LMS: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const LMS_TO_OKLAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

/** Difference of two colours in OKLab; black and white differ by 1. */
function difference(matrix: Matrix, one: Triple, other: Triple): number {
  const [a, b] = [one, other].map((colour) => {
    const seen = mapTriple(multiply(matrix, colour), (value) => Math.min(1, Math.max(0, value)));
    return multiply(LMS_TO_OKLAB, mapTriple(multiply(RGB_TO_LMS, seen), Math.cbrt));
  }) as [Triple, Triple];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

const indexes = Array.from({ length: VARIANT_COLOURS }, (_, index) => index);
const readColours = (theme: Theme) => indexes.map((index) => readToken(theme, `--variant-${index + 1}`));

test.each<[string, Pick<Variant, 'name' | 'payload'>]>([
  ['#187A4B', { name: 'green', payload: { type: 'string', value: ' #187A4B ' } }],
  ['green', { name: 'Green' }],
  ['#0af', { name: '#0af', payload: { type: 'json', value: '{}' } }],
  ['var(--variant-2)', { name: 'large', payload: { type: 'string', value: 'wide' } }],
  ['var(--variant-2)', { name: 'transparent' }],
])('the colour is %s for %j', (colour, variant) => {
  expect(getVariantColour(variant, 1)).toBe(colour.toLowerCase());
});

test('the colours repeat after the last one', () => {
  expect(variantColour(0)).toBe('var(--variant-1)');
  expect(variantColour(VARIANT_COLOURS)).toBe(variantColour(0));
  expect(new Set(indexes.map(variantColour)).size).toBe(VARIANT_COLOURS);
});

test.each(['light', 'dark'] as const)('each colour has a contrast of 3:1 to the %s page and its cards', (theme) => {
  for (const ground of ['--bg', '--surface'].map((name) => readToken(theme, name))) {
    for (const colour of readColours(theme)) expect(contrast(colour, ground)).toBeGreaterThanOrEqual(3);
  }
});

test.each(['light', 'dark'] as const)('any two colours differ in the %s theme', (theme) => {
  const colours = readColours(theme);
  for (const [at, one] of colours.entries()) {
    for (const other of colours.slice(at + 1))
      expect(difference(VISION['normal'] as Matrix, one, other)).toBeGreaterThan(0.1);
  }
});

test.each(
  (['light', 'dark'] as const).flatMap((theme) =>
    Object.entries(VISION).map(([name, matrix]) => ({ theme, name, matrix })),
  ),
)('neighbours differ in the $theme theme with $name vision', ({ theme, matrix }) => {
  const colours = readColours(theme);
  const [first] = colours;
  for (const [at, one] of colours.entries()) {
    // The last colour is next to the first one when the colours repeat.
    const next = colours[at + 1] ?? first;
    expect(next && difference(matrix, one, next), `colours ${at + 1} and next`).toBeGreaterThan(0.12);
  }
});
