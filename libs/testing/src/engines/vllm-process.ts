import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { freePort } from '@hone/database';

import { until } from '../until.js';

const ROOT = join(import.meta.dirname, '../../../..');
const UP = join(ROOT, 'tools/engines/up.sh');
const MODEL = join(ROOT, 'models/hone-tiny');
/** vLLM loads for a minute; a busy machine takes longer. */
const START_TIMEOUT_MS = 400_000;

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
  /** What it has written so far. */
  output(): string;
  /** Ends it with all its processes. Default SIGTERM. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts vLLM with the bundled model, by `tools/engines/up.sh`, and waits until it answers.
 *
 * @throws Error it ended, or did not answer in time; with what it has written
 */
export async function startVllm(options: VllmOptions = {}): Promise<VllmProcess> {
  const port = options.port ?? (await freePort());
  const env = {
    ...process.env,
    ENGINE_MAX_ADAPTERS: String(options.maxAdapters ?? 4),
    ENGINE_SERVED_NAME: options.servedName ?? 'hone-tiny',
    VLLM_NO_USAGE_STATS: '1',
  };
  // A group of its own: its workers end with it.
  const child = spawn('bash', [UP, 'vllm', MODEL, String(port)], { env, detached: true });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const text = () => Buffer.concat(output).toString();
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    process.kill(-child.pid, signal);
    await exited;
  };
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
    await stop('SIGKILL');
    throw new Error(`vLLM did not start:\n${text().slice(-4_000)}`, { cause: error });
  }
  return { baseUrl, port, output: text, stop };
}
