import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { LauncherConfig } from './config/launcher.config.js';

/**
 * A link that signs one browser in, within a minute. Undefined: the key was revoked, or may not; the console then asks
 * for a key.
 */
export async function signInLink(
  { bootstrapApiKey, dataDir }: Pick<LauncherConfig, 'bootstrapApiKey' | 'dataDir'>,
  address: string,
): Promise<string | undefined> {
  const key = bootstrapApiKey ?? (await readFile(join(dataDir, 'api-key'), 'utf8')).trim();
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${address}/account/sessions/codes`, { method: 'POST', headers });
  const { path } = (await answer.json()) as { path?: string };
  return answer.ok && path !== undefined ? address + path : undefined;
}
