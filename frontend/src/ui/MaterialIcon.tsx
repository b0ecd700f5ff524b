import { lazy, Suspense } from 'react';
import type { MaterialGlyphProps } from './MaterialGlyph';

/** The icon font has 125 KB: it is loaded with the first icon. The fallback is shown if loading fails. */
const Glyph = lazy(() =>
  import('./MaterialGlyph').then(
    (part) => ({ default: part.MaterialGlyph }),
    () => ({ default: ({ fallback }: MaterialGlyphProps) => fallback }),
  ),
);

/** Material icon by name; loads the icon font on first use. */
export function MaterialIcon(props: MaterialGlyphProps) {
  return (
    <Suspense fallback={props.fallback}>
      <Glyph {...props} />
    </Suspense>
  );
}
