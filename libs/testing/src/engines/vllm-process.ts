import { join } from 'node:path';

import { freePort } from '@hone/database';

import { until } from '../until.js';
import { EngineProcesses } from './engine-processes.js';

const ROOT = join(import.meta.dirname, '../../../..');
const UP = join(ROOT, 'tools/engines/up.sh');
const MODEL = join(ROOT, 'models/hone-tiny');
/** vLLM loads for a minute, of which it computes all; on a machine that is busy it takes many times as long. */
const START_TIMEOUT_MS = 800_000;

export interface VllmOptions {
  /** `--max-loras`. Default 4. */
  readonly maxAdapters?: number;
  /** Name of the model. Default `hone-tiny`. */
  readonly servedName?: string;
  /** Default: any free one. */
  readonly port?: number;
}

/** A real vLLM server on this machine's CPU. */
export interface VllmProcess {
  /** Address under which `/chat/completions` is found. */
  readonly baseUrl: string;
  readonly port: number;
  /** Kills it with all its processes. */
  kill(): Promise<void>;
}

/**
 * Starts vLLM with the bundled model, by `tools/engines/up.sh`, and waits until it answers.
 *
 * @throws Error it ended, or did not answer in time; with what it has written
 */
export async function startVllm(options: VllmOptions = {}): Promise<VllmProcess> {
  const port = options.port ?? (await freePort());
  const processes = new EngineProcesses();
  const child = processes.start('bash', [UP, 'vllm', MODEL, String(port)], {
    ENGINE_MAX_ADAPTERS: String(options.maxAdapters ?? 4),
    ENGINE_SERVED_NAME: options.servedName ?? 'hone-tiny',
    VLLM_NO_USAGE_STATS: '1',
  });
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  try {
    await until(
      async () => {
        if (child.exitCode !== null) throw new Error('vLLM has ended.');
        return (await fetch(`${baseUrl}/models`).catch(() => null))?.ok;
      },
      'an answer of vLLM',
      START_TIMEOUT_MS,
    );
  } catch (error) {
    await processes.close();
    throw new Error(`vLLM did not start:\n${processes.output}`, { cause: error });
  }
  return { baseUrl, port, kill: () => processes.close() };
}
