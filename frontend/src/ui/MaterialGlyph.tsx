import type { ReactNode } from 'react';
import { isIconName } from '@/lib/iconNames';
import './materialIcons.css';

export interface MaterialGlyphProps {
  name: string;
  /** Drawn for a name that is no icon, such as one of a newer set. */
  fallback: ReactNode;
}

export function MaterialGlyph({ name, fallback }: MaterialGlyphProps) {
  if (!isIconName(name)) return fallback;
  return <span aria-hidden="true" data-glyph={name} className="material-icon" />;
}
