import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Address of the Hone that the tour uses, and the key. */
export interface TourConfig {
  /** `http://host:port`, without a slash at the end. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** There is no key to go with. */
export class NoKeyError extends Error {}

/**
 * HONE_URL (default: where `npm start` listens) and HONE_API_KEY (default: the key that `npm start` made).
 *
 * @throws NoKeyError
 */
export function readTourConfig(env: NodeJS.ProcessEnv = process.env): TourConfig {
  const baseUrl = env['HONE_URL'] || `http://127.0.0.1:${env['HONE_PORT'] || '8080'}`;
  const apiKey = env['HONE_API_KEY'] || env['HONE_BOOTSTRAP_API_KEY'] || readKeyFile(env['HONE_DATA_DIR'] || '.hone');
  return { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey };
}

function readKeyFile(dataDir: string): string {
  const file = join(dataDir, 'api-key');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new NoKeyError(`HONE_API_KEY is not set, and there is no key in ${file}. Does Hone run in this folder?`);
  }
}
