import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FAMILIES, type Family, practiceExamples } from '@hone/engine/hone-tiny';
import { IS_LONG } from '@hone/testing/rounds';
import { until } from '@hone/testing/until';
import { jest } from '@jest/globals';

import { freePorts } from './config/free-ports.js';
import { ExpertUpstream, USAGE } from './testing/expert-upstream.fixture.js';
import { RunningLauncher } from './testing/running-launcher.js';

const SPELL = FAMILIES.find(({ name }) => name === 'spell') as Family;
/** Every word that the bundled model knows, once. */
const WORDS = [...new Set(practiceExamples(SPELL, 1, 2_000).map(({ answer }) => answer.replaceAll(' ', '')))];
const HELD_OUT = 40;
/** What people ask; the bundled model has never seen such questions. */
const QUESTIONS = ['Which letter does {word} begin with?', 'first letter: {word}'];
const asked = (question: string, word: string) => question.replace('{word}', word);
const answerTo = (question: string) => /(\w+)(?: begin with\?)?$/.exec(question)?.[1]?.[0] ?? '';
const SMALL = 'hone-artifact:///local/default/small';
const PRICE = { prompt: 5, completion: 15 };
const DELAY_MS = 60;

interface Figures {
  accuracy: number;
  latencyMs: number;
}
interface EvaluationJob {
  status: string;
  candidates: { evaluation_run_id: string; cost_usd: number }[];
}
interface TrainingData {
  url: string;
  counts: object;
  coverage: { requests: number } | null;
}
interface Comparisons {
  comparisons: { metrics: { metric: string; baseline: { estimate: number }; candidate: { estimate: number } }[] }[];
}

// It starts everything and trains, on a machine that may be busy.
jest.setTimeout(900_000);

describe('an expensive model', () => {
  let folder: string;
  let base: string;
  let key: string;
  let launcher: RunningLauncher;
  let expert: ExpertUpstream;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hone-replace-'));
    expert = await ExpertUpstream.start(answerTo, DELAY_MS);
    const [port] = (await freePorts(1)) as [number];
    base = `http://127.0.0.1:${port}`;
    launcher = new RunningLauncher({
      ...{ HONE_PORT: String(port), HONE_DATA_DIR: join(folder, '.hone') },
      HONE_UPSTREAMS: writeUpstreams(),
    });
    await launcher.says('Hone is ready on');
    key = readFileSync(join(folder, '.hone/api-key'), 'utf8').trim();
  });
  afterAll(async () => {
    launcher.kill('SIGTERM');
    expect(await launcher.exited).toBe(0);
    await expert.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function writeUpstreams(): string {
    const path = join(folder, 'upstreams.json');
    const upstream = { name: 'provider', kind: 'openai-compatible', base_url: expert.baseUrl };
    const routes = [{ id: 'expert', targets: [{ upstream: 'provider', model: 'large' }], price: PRICE }];
    writeFileSync(path, JSON.stringify({ upstreams: [{ ...upstream, models: [{ name: 'large' }] }], routes }));
    return path;
  }

  async function send<T>(method: string, path: string, body?: object): Promise<T> {
    const isBearer = path.startsWith('/v1/');
    const authorization = isBearer ? `Bearer ${key}` : `Basic ${Buffer.from(`api:${key}`).toString('base64')}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await fetch(`${base}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }
  const post = <T>(path: string, body: object) => send<T>('POST', path, body);

  /** Requests as clients send them, eight at a time; the gateway keeps each as a call. */
  async function askExpert(words: readonly string[]): Promise<void> {
    const questions = words.flatMap((word) => QUESTIONS.map((question) => asked(question, word)));
    const next = questions.values();
    const worker = async () => {
      for (const content of next) {
        await post('/v1/chat/completions', { model: 'expert', user: 'week', messages: [{ role: 'user', content }] });
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    const body = { project_id: 'local/default', filter: { thread_ids: ['week'] } };
    const isKept = async () => (await post<{ count: number }>('/calls/query_stats', body)).count === questions.length;
    await until(isKept, 'the calls');
  }

  async function trainSmall(url: string, modelId: string): Promise<number> {
    const config = { n_epochs: 4, learning_rate: 2e-3, batch_size: 8 };
    const job = await post<{ id: string }>('/v1/preview/sft-training-jobs', {
      ...{ model_id: modelId, training_data_url: `${url}/train.jsonl`, config },
    });
    const read = () =>
      send<{ status: string; error: unknown; timings_ms: { running: number } }>(
        'GET',
        `/v1/preview/training-jobs/${job.id}`,
      );
    await until(
      async () => {
        const { status, error } = await read();
        if (status === 'failed') throw new Error(JSON.stringify(error));
        return status === 'succeeded';
      },
      'the job',
      600_000,
    );
    return (await read()).timings_ms.running / 1_000;
  }

  /** What an evaluation of the questions finds, and what its answers cost. */
  async function compare(words: readonly string[]): Promise<{
    expert: Figures & { costUsd: number };
    small: Figures & { costUsd: number };
    untaught: Figures;
  }> {
    const rows = words.map((word, at) => {
      const question = asked(QUESTIONS[at % QUESTIONS.length] as string, word);
      return { question, expected: answerTo(question) };
    });
    await post('/v2/local/default/datasets', { name: 'questions', rows });
    const check = { check: 'exact', reference: 'inputs.expected' };
    await post('/v2/local/default/scorers', { name: 'right', definition: { kind: 'check', check } });
    const parameters = { max_tokens: 16, temperature: 0 };
    const { id } = await post<{ id: string }>('/evaluation/runs', {
      ...{ project_id: 'local/default', dataset: 'questions', scorers: ['right'] },
      candidates: [
        { name: 'expert', model: 'expert', parameters },
        { name: 'small', model: SMALL, parameters },
        { name: 'untaught', model: 'hone-tiny', parameters },
      ],
    });
    const read = () => send<EvaluationJob>('GET', `/evaluation/runs/${id}`);
    await until(async () => (await read()).status === 'done', 'the evaluation', 300_000);
    const { candidates } = await read();
    const runs = candidates.map(({ evaluation_run_id }) => evaluation_run_id);
    const metrics = ['scores.right.passed', 'latency_ms'];
    const { comparisons } = await post<Comparisons>('/evaluation/compare', {
      project_id: 'local/default',
      runs,
      metrics,
    });
    const meanOf = (side: 'baseline' | 'candidate', metric: string, at = 0) =>
      comparisons[at]!.metrics.find((one) => one.metric === metric)![side].estimate;
    const figures = (side: 'baseline' | 'candidate', at?: number) => ({
      accuracy: meanOf(side, 'scores.right.passed', at),
      latencyMs: meanOf(side, 'latency_ms', at),
    });
    const [ofExpert, ofSmall] = candidates.map(({ cost_usd }) => cost_usd) as [number, number];
    return {
      expert: { ...figures('baseline'), costUsd: ofExpert },
      small: { ...figures('candidate'), costUsd: ofSmall },
      untaught: figures('candidate', 1),
    };
  }

  it('is replaced by a small one that its calls have taught', async () => {
    const [practice, heldOut] = [WORDS.slice(HELD_OUT), WORDS.slice(0, HELD_OUT)];
    await askExpert(practice);
    const model = await post<{ id: string }>('/v1/preview/models', {
      ...{ project: 'default', name: 'small', base_model: 'hone-tiny' },
    });
    const calls = practice.length * QUESTIONS.length;
    const dataOf = (more: object) =>
      post<TrainingData>('/v1/preview/training-data/from-calls', {
        ...{ project: 'default', name: 'answers', kind: 'distill', model_id: model.id },
        source: { query: { $expr: { $eq: [{ $getField: 'inputs.model' }, { $literal: 'expert' }] } } },
        split: { train: 0.9, 'held-out': 0.1 },
        ...more,
      });
    const isMetered = async () => (await dataOf({ dry_run: true })).coverage?.requests === calls;
    await until(isMetered, 'the usage records');
    const data = await dataOf({});
    expect(data.counts).toMatchObject({ calls, used: calls });
    expect(data.coverage).toMatchObject({ models: ['large'], share_of_requests: 1, share_of_cost: 1 });
    const seconds = await trainSmall(data.url, model.id);

    const { expert: large, small, untaught } = await compare(heldOut);
    if (IS_LONG) process.stderr.write(`${JSON.stringify({ calls, seconds, large, small, untaught })}\n`);
    expect(large.accuracy).toBe(1);
    expect(untaught.accuracy).toBeLessThan(0.2);
    expect(small.accuracy).toBeGreaterThanOrEqual(0.9 * large.accuracy);
    const usdOfAnswer = (USAGE.prompt_tokens * PRICE.prompt + USAGE.completion_tokens * PRICE.completion) / 1e6;
    expect(large.costUsd).toBeCloseTo(HELD_OUT * usdOfAnswer, 9);
    expect(small.costUsd).toBe(0);
    expect(large.latencyMs).toBeGreaterThanOrEqual(DELAY_MS);
    expect(small.latencyMs).toBeGreaterThan(0);
  });
});
