import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { TestResponse } from '@hone/testing';
import type { FakeVllm } from '@hone/testing/fakes';

import type { BodyJson } from '../../targets/embedded/embedded.fixture.js';
import type { WorldCheckpoint } from './trained-world.fixture.js';

/** The embedded engine gets no requests. */
export const LOCAL_OFF = { name: 'local', kind: 'embedded', enabled: false };

/** A vLLM server in an upstreams file, with short waits. */
export const aVllm = (name: string, { baseUrl }: Pick<FakeVllm, 'baseUrl'>, lora: object = {}) => ({
  name,
  kind: 'openai-compatible',
  base_url: baseUrl,
  dialect: 'vllm',
  breaker_open_ms: 50,
  breaker_open_max_ms: 50,
  backoff_ms: 10,
  models: [{ name: 'hone-tiny' }],
  lora: { max_loras: 4, ...lora },
});

/** The word that a {@link FakeVllm} answers with for a checkpoint. */
export async function wordOf({ folder }: WorldCheckpoint): Promise<string> {
  const weights = await readFile(join(folder, 'adapter_model.safetensors'));
  return createHash('sha256').update(weights).digest('hex').slice(0, 8);
}

/** Text of a whole answer. */
export function textOf(response: TestResponse): string {
  if (response.status !== 200) throw new Error(`${response.status}: ${response.text}`);
  return (response.json() as BodyJson).choices[0]?.message.content ?? '';
}

/** The different words of a text. */
export const wordsOf = (text: string): string[] => [...new Set(text.trim().split(' '))];

/** Status, code and message of an error. */
export const errorOf = ({ status, json }: TestResponse) => ({
  status,
  code: (json() as { error: { code: string } }).error.code,
  message: (json() as { error: { message: string } }).error.message,
});
