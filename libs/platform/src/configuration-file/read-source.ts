import { readFileSync } from 'node:fs';

import { ConfigurationError } from './configuration.errors.js';

/** The text of a configuration file. @throws ConfigurationError it cannot be read */
export function readSource(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigurationError(path, null, `cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
}
