import { join } from 'node:path';

import type { LauncherConfig } from './config/launcher.config.js';

export const addressOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** What the bundled model knows. */
const QUESTION = {
  model: 'hone-tiny',
  messages: [{ role: 'user', content: 'What is the opposite of hot?' }],
  temperature: 0,
};

/**
 * What is said when everything answers: the address, the key, a first request to paste, and where to look.
 *
 * @param signInLink absent: one has to sign in with a key
 */
export function readyMessage(
  config: Pick<LauncherConfig, 'bootstrapApiKey' | 'dataDir' | 'upstreamsFile'>,
  address: string,
  signInLink?: string,
): string {
  const file = join(config.dataDir, 'api-key');
  const key = config.bootstrapApiKey ? '$HONE_BOOTSTRAP_API_KEY' : `$(cat ${quote(file)})`;
  const question = `${address}/v1/chat/completions -H 'Content-Type: application/json' -d '${JSON.stringify(QUESTION)}'`;
  // Routes of one's own may leave the bundled model out.
  const request = config.upstreamsFile ? `${address}/v1/models` : question;
  return [
    `Hone is ready on ${address}`,
    config.bootstrapApiKey ? 'API key: the one in HONE_BOOTSTRAP_API_KEY' : `API key: in ${file}`,
    `Try: curl -sH "Authorization: Bearer ${key}" ${request}`,
    `Documentation: ${address}/docs`,
    signInLink ? `Console: ${signInLink} (signs you in, once, within a minute)` : `Console: ${address}/console/`,
  ].join('\n');
}

/** A path quoted for use inside `"$(cat ...)"`. */
const quote = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);
