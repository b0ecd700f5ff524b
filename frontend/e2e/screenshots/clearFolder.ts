import { mkdirSync, rmSync } from 'node:fs';
import { FOLDER } from './folder';

/** Removes the images of the last run, because scenes may have been renamed. */
export default function clearFolder(): void {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
}
