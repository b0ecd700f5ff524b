import { lazy, Suspense } from 'react';
import type { MaterialGlyphProps } from './MaterialGlyph';

/** The icons are a font of 125 KB: nothing of it is fetched before one is shown, and a failure draws what stands in. */
const Glyph = lazy(() =>
  import('./MaterialGlyph').then(
    (part) => ({ default: part.MaterialGlyph }),
    () => ({ default: ({ fallback }: MaterialGlyphProps) => fallback }),
  ),
);

export function MaterialIcon(props: MaterialGlyphProps) {
  return (
    <Suspense fallback={props.fallback}>
      <Glyph {...props} />
    </Suspense>
  );
}
