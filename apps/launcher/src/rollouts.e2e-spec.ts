import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FAMILIES, type Family, heldOutExamples, practiceExamples } from '@hone/engine/hone-tiny';
import { until } from '@hone/testing/until';
import { jest } from '@jest/globals';

import { freePorts } from './config/free-ports.js';
import { RunningLauncher } from './testing/running-launcher.js';

const [ROUNDS, PROMPTS_PER_ROUND, ANSWERS, HELD_OUT] = [5, 6, 10, 60];
const LIFT = 0.15;
/** The kind of question that the tour learns by rewards. */
const FAMILY = FAMILIES.find(({ name }) => name === 'reverse') as Family;
const MODEL = 'hone-artifact:///local/default/self-taught';

interface Row {
  readonly messages: readonly object[];
  readonly expected: string;
}
interface Job {
  readonly id: string;
  readonly status: string;
  readonly error: unknown;
  readonly rollouts: Record<string, unknown>;
}

const toRow = ({ messages, answer }: { messages: readonly object[]; answer: string }): Row => ({
  messages: messages.slice(0, -1),
  expected: answer,
});

// It starts everything and trains, on a machine that may be busy.
jest.setTimeout(900_000);

describe('a job that samples and grades by itself', () => {
  let folder: string;
  let base: string;
  let key: string;
  let launcher: RunningLauncher;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hone-rollouts-'));
    const [port] = (await freePorts(1)) as [number];
    base = `http://127.0.0.1:${port}`;
    launcher = new RunningLauncher({ HONE_PORT: String(port), HONE_DATA_DIR: join(folder, '.hone') });
    await launcher.says('Hone is ready on');
    key = readFileSync(join(folder, '.hone/api-key'), 'utf8').trim();
  });
  afterAll(async () => {
    launcher.kill('SIGTERM');
    expect(await launcher.exited).toBe(0);
    rmSync(folder, { recursive: true, force: true });
  });

  async function send<T>(method: string, path: string, body?: string | object, type = 'application/json'): Promise<T> {
    const sent = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const basic = Buffer.from(`api:${key}`).toString('base64');
    const authorization = /^\/(v2|calls)\//.test(path) ? `Basic ${basic}` : `Bearer ${key}`;
    const headers = { authorization, 'content-type': type };
    const response = await fetch(`${base}${path}`, { method, headers, ...(sent !== undefined && { body: sent }) });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }

  async function accuracy(): Promise<number> {
    const rows = heldOutExamples(FAMILY, 77, HELD_OUT).map(toRow);
    const right = await Promise.all(
      rows.map(async ({ messages, expected }) => {
        const body = { model: MODEL, messages, max_tokens: 24, temperature: 0 };
        const { choices } = await send<{ choices: { message: { content: string } }[] }>(
          'POST',
          '/v1/chat/completions',
          body,
        );
        return choices[0]?.message.content === expected;
      }),
    );
    return right.filter(Boolean).length / HELD_OUT;
  }

  it(`lifts the share of right answers to held-out prompts by ${100 * LIFT} points`, async () => {
    const model = { project: 'default', name: 'self-taught', base_model: 'hone-tiny' };
    const { id: model_id } = await send<{ id: string }>('POST', '/v1/preview/models', model);
    const rows = practiceExamples(FAMILY, 1_000, ROUNDS * PROMPTS_PER_ROUND).map(toRow);
    const lines = rows.map((row) => JSON.stringify(row)).join('\n');
    const artifact = '/v1/preview/artifacts/local/default/questions';
    const { url } = await send<{ url: string }>('POST', artifact, lines, 'application/jsonl');
    const check = { kind: 'check', check: { check: 'exact', reference: 'inputs.expected' } };
    await send('POST', '/v2/local/default/scorers', { name: 'right', definition: check });

    const before = await accuracy();
    const made = await send<Job>('POST', '/v1/preview/training-jobs', {
      model_id,
      rollouts: {
        ...{ prompts_url: url, scorers: [{ scorer: 'right' }], n: ANSWERS, prompts_per_round: PROMPTS_PER_ROUND },
        sampling: { max_tokens: 24 },
      },
      experimental_config: { learning_rate: 2e-3 },
    });
    let job = made;
    await until(
      async () => {
        job = await send<Job>('GET', `/v1/preview/training-jobs/${made.id}`);
        if (job.status === 'failed') throw new Error(JSON.stringify(job.error));
        return job.status === 'succeeded';
      },
      'the job',
      600_000,
    );
    const after = await accuracy();

    expect(job.rollouts).toMatchObject({
      ...{ rounds: ROUNDS, rounds_done: ROUNDS, prompts: ROUNDS * PROMPTS_PER_ROUND, failures: {} },
      ...{ answers: ROUNDS * PROMPTS_PER_ROUND * ANSWERS, graded: ROUNDS * PROMPTS_PER_ROUND * ANSWERS },
    });
    // Each prompt was one request, which the gateway has booked and logged as any caller's.
    const ofJob = { $eq: [{ $getField: 'attributes.metadata.user' }, { $literal: `hone.rollouts:${job.id}` }] };
    await until(async () => {
      const query = { project_id: 'local/default', query: { $expr: ofJob } };
      const { count } = await send<{ count: number }>('POST', '/calls/query_stats', query);
      return count === ROUNDS * PROMPTS_PER_ROUND;
    }, 'the calls of the job');
    const { data } = await send<{ data: { step: number }[] }>('GET', `/v1/preview/models/${model_id}/checkpoints`);
    expect(data.map(({ step }) => step)).toEqual(Array.from({ length: ROUNDS }, (_, round) => round + 1));
    expect(after - before).toBeGreaterThanOrEqual(LIFT);
  });
});
