// Runs once before all tests: fails with an instruction if the program under test is missing.

import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { BINARY } from './binary';

export default async function checkBinary(): Promise<void> {
  await access(BINARY, constants.X_OK).catch(() => {
    const file = path.relative(process.cwd(), BINARY);
    throw new Error(
      `There is no program ${file}. Run "cargo build" first, or set FLAGDECK_BIN to the file of another one.`,
    );
  });
}
