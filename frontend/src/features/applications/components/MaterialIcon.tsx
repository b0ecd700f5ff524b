import { isIconName } from '../iconNames';
import { AppsMark } from './AppsMark';
import './materialIcons.css';

/** A name that is no icon, such as one of a newer set, is drawn as the default. */
export function MaterialIcon({ name }: { name: string }) {
  if (!isIconName(name)) return <AppsMark />;
  return <span aria-hidden="true" data-glyph={name} className="material-icon" />;
}
