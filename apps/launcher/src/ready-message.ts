import { join } from 'node:path';

import type { LauncherConfig } from './config/launcher.config.js';

export const addressOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** What is said when everything answers: the address, the key, and a first request to paste. */
export function readyMessage(config: Pick<LauncherConfig, 'bootstrapApiKey' | 'dataDir'>, address: string): string {
  const file = join(config.dataDir, 'api-key');
  const key = config.bootstrapApiKey ? '$HONE_BOOTSTRAP_API_KEY' : `$(cat ${quote(file)})`;
  const body = {
    project_id: 'local/demo',
    trace_ref: 'hone:///local/demo/call/first',
    feedback_type: 'quality',
    payload: { score: 1 },
  };
  return [
    `Hone is ready on ${address}`,
    config.bootstrapApiKey ? 'API key: the one in HONE_BOOTSTRAP_API_KEY' : `API key: in ${file}`,
    `Try: curl -su "api:${key}" -H 'Content-Type: application/json' ${address}/feedback/create -d '${JSON.stringify(body)}'`,
    `Documentation: ${address}/docs`,
  ].join('\n');
}

/** A path as it can stand inside `"$(cat ...)"`. */
const quote = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);
