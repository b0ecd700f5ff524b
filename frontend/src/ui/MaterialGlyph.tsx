import type { ReactNode } from 'react';
import { isIconName } from '@/lib/iconNames';
import './materialIcons.css';

export interface MaterialGlyphProps {
  name: string;
  /** Shown for an unknown name, such as an icon of a newer set. */
  fallback: ReactNode;
}

/** Icon of the Material icon font. */
export function MaterialGlyph({ name, fallback }: MaterialGlyphProps) {
  if (!isIconName(name)) return fallback;
  return <span aria-hidden="true" data-glyph={name} className="material-icon" />;
}
