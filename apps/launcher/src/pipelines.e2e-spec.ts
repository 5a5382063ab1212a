import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { GateDto, ImprovementDto, PipelineDto, PipelineRunDto } from '@hone/contracts';
import { FAMILIES, type Family, practiceExamples } from '@hone/engine/hone-tiny';
import { until } from '@hone/testing/until';
import { jest } from '@jest/globals';

import { freePorts } from './config/free-ports.js';
import { RunningLauncher } from './testing/running-launcher.js';

const SPELL = FAMILIES.find(({ name }) => name === 'spell') as Family;
/** Every word that the bundled model knows, once. */
const WORDS = [...new Set(practiceExamples(SPELL, 1, 2_000).map(({ answer }) => answer.replaceAll(' ', '')))];
const HELD_OUT = 60;
const [PRACTICE, ROWS] = [WORDS.slice(HELD_OUT), WORDS.slice(0, HELD_OUT)];
/** The bundled model has never seen such a question. */
const questionOf = (word: string) => `first letter: ${word}`;
const SUBTRACT = FAMILIES.find(({ name }) => name === 'subtract') as Family;
const PROJECT = 'local/default';
interface Completion {
  readonly id: string;
  readonly choices: readonly { readonly message: { readonly content: string } }[];
}
const STEPS = ['data', 'training', 'evaluation', 'gate', 'promotion'];

// It starts everything and trains, on a machine that may be busy.
jest.setTimeout(1_800_000);

describe('a pipeline', () => {
  let folder: string;
  let base: string;
  let key: string;
  let launcher: RunningLauncher;
  let modelId: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hone-pipelines-'));
    const [port] = (await freePorts(1)) as [number];
    base = `http://127.0.0.1:${port}`;
    launcher = new RunningLauncher({ HONE_PORT: String(port), HONE_DATA_DIR: join(folder, '.hone') });
    await launcher.says('Hone is ready on');
    key = readFileSync(join(folder, '.hone/api-key'), 'utf8').trim();
    const model = { project: 'default', name: 'small', base_model: 'hone-tiny' };
    modelId = (await post<{ id: string }>('/v1/preview/models', model)).id;
    const rows = ROWS.map((word) => ({ question: questionOf(word), expected: word[0] as string }));
    await post('/v2/local/default/datasets', { name: 'questions', rows });
    const check = { check: 'exact', reference: 'inputs.expected' };
    await post('/v2/local/default/scorers', { name: 'right', definition: { kind: 'check', check } });
    await addCalls('right', (word) => word[0] as string);
    await addCalls('wrong', () => 'q');
  });
  afterAll(async () => {
    launcher.kill('SIGTERM');
    expect(await launcher.exited).toBe(0);
    rmSync(folder, { recursive: true, force: true });
  });

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

  /** Chats of a conversation, with what people say should have been answered. */
  async function addCalls(thread: string, answerOf: (word: string) => string): Promise<void> {
    const next = PRACTICE.values();
    const worker = async () => {
      for (const word of next) {
        const messages = [{ role: 'user', content: questionOf(word) }];
        const body = { model: 'hone-tiny', user: thread, max_tokens: 4, messages };
        const { id } = await post<{ id: string }>('/v1/chat/completions', body);
        const payload = { output: answerOf(word) };
        const feedback = { project_id: PROJECT, completion_id: id, feedback_type: 'hone.correction.1', payload };
        await post('/feedback/create', feedback);
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    await untilKept(thread, PRACTICE.length);
  }

  /** Two answers to each of 150 questions, each with a thumb. */
  async function addThumbs(thread: string, isLiked: (answer: string) => boolean): Promise<void> {
    const questions = practiceExamples(SUBTRACT, 5, 1_000).map(({ messages }) =>
      messages.filter(({ role }) => role !== 'assistant'),
    );
    const distinct = [...new Map(questions.map((asked) => [JSON.stringify(asked), asked])).values()].slice(0, 150);
    const asked = [...distinct, ...distinct];
    const next = asked.entries();
    const worker = async () => {
      for (const [seed, messages] of next) {
        const body = { model: 'hone-tiny', user: thread, max_tokens: 24, temperature: 1, seed, messages };
        const { id, choices } = await post<Completion>('/v1/chat/completions', body);
        const payload = { emoji: isLiked(choices[0]?.message.content ?? '') ? '👍' : '👎' };
        const feedback = { project_id: PROJECT, completion_id: id, feedback_type: 'hone.reaction.1', payload };
        await post('/feedback/create', feedback);
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    await untilKept(thread, asked.length);
  }

  async function untilKept(thread: string, calls: number): Promise<void> {
    const body = { project_id: PROJECT, filter: { thread_ids: [thread] } };
    const isKept = async () => (await post<{ count: number }>('/calls/query_stats', body)).count === calls;
    await until(isKept, 'the calls');
  }

  const pipelineOf = (thread: string): Promise<PipelineDto> =>
    post('/evaluation/pipelines', {
      ...{ project_id: PROJECT, name: `from ${thread}`, model_id: modelId, promote_to: 'production' },
      data: { kind: 'sft', options: { source: { filter: { thread_ids: [thread] } }, corrections: 'only' } },
      config: { n_epochs: 4, learning_rate: 2e-3, batch_size: 8, seed: 1 },
      evaluate: { dataset: 'questions', scorers: ['right'], parameters: { max_tokens: 8, temperature: 0 } },
      gate: { metric: 'scores.right.passed' },
    });

  /** Runs it to its end. @param seen is told each step that it sees the run at */
  async function run({ id }: PipelineDto, seen: (step: string) => Promise<void> | void = () => undefined) {
    const started = await post<PipelineRunDto>(`/evaluation/pipelines/${id}/runs`, {});
    const read = () => send<PipelineRunDto>('GET', `/evaluation/pipeline-runs/${started.id}`).catch(() => null);
    const steps = new Set<string>();
    const isOver = async () => {
      const found = await read();
      for (const { step } of found?.steps ?? [])
        if (!steps.has(step)) {
          steps.add(step);
          await seen(step);
        }
      return found !== null && found.status !== 'running';
    };
    await until(isOver, 'the run', 1_500_000);
    return (await read()) as PipelineRunDto;
  }

  const kill = async (): Promise<void> => {
    for (const pid of launcher.children('apps/evaluation/')) process.kill(pid, 'SIGKILL');
    await until(() => launcher.children('apps/evaluation/').length > 0, 'the service again');
  };
  const aliasStep = async (): Promise<number | undefined> => {
    const { data } = await send<{ data: { alias: string; step: number }[] }>(
      'GET',
      `/v1/preview/models/${modelId}/aliases`,
    );
    return data.find(({ alias }) => alias === 'production')?.step;
  };
  const gateOf = ({ steps }: PipelineRunDto): Promise<GateDto> =>
    send('GET', `/evaluation/gates/${steps.find(({ step }) => step === 'gate')?.gate_id}`);

  it('promotes what is better though its service is killed at every step, then nothing that is equal or worse', async () => {
    const right = await pipelineOf('right');
    expect(right.missing).toEqual([]);
    const first = await run(right, kill);
    const reason = expect.stringMatching(/^Step \d+ is 'production' now/) as unknown;
    expect(first).toMatchObject({ status: 'promoted', reason, number: 1, current_step: 0, started_by: 'request' });
    expect(first.steps.map(({ step }) => step)).toEqual(STEPS);
    expect(first.alpha).toBeCloseTo((0.05 * 6) / Math.PI ** 2, 12);
    const promoted = first.steps.find(({ candidate_step: step }) => step !== null)?.candidate_step;
    expect(await aliasStep()).toBe(promoted);
    const gate = await gateOf(first);
    expect(gate).toMatchObject({ verdict: 'promote', basis: 'fact', acts: [{ act: 'promoted' }] });
    expect(gate.settings.runs).toEqual(first.steps.find(({ step }) => step === 'evaluation')?.run_ids);
    const jobs = await send<{ data: unknown[] }>('GET', `/v1/preview/training-jobs?model_id=${modelId}`);
    expect(jobs.data).toHaveLength(1);
    const { runs } = await send<{ runs: unknown[] }>(
      'GET',
      `/evaluation/runs?project_id=${encodeURIComponent(PROJECT)}`,
    );
    expect(runs).toHaveLength(1);

    const second = await run(right);
    expect(second).toMatchObject({ status: 'undecided', number: 2, current_step: promoted });
    expect(second.alpha).toBeCloseTo((0.05 * 6) / (4 * Math.PI ** 2), 12);
    expect(second.reason).toMatch(/the current one stays/);

    const third = await run(await pipelineOf('wrong'));
    expect(third).toMatchObject({ status: 'rejected', reason: expect.stringMatching(/^Reject: of \d+ pairs/) });
    expect(await aliasStep()).toBe(promoted);
  });

  it('is not needed to learn from thumbs: one request tries what they allow, killed at every step, and the best wins', async () => {
    const model = { project: 'default', name: 'liked', base_model: 'hone-tiny' };
    const { id: liked } = await post<{ id: string }>('/v1/preview/models', model);
    const check = { check: 'regex', pattern: '^[0-9]+$' };
    await post('/v2/local/default/scorers', { name: 'bare', definition: { kind: 'check', check } });
    await addThumbs('thumbs', (answer) => /^[0-9]+$/.test(answer));
    const started = await post<ImprovementDto>('/evaluation/improve', {
      ...{ project_id: PROJECT, model_id: liked, data: { source: { filter: { thread_ids: ['thumbs'] } } } },
      evaluate: { scorers: ['bare'], parameters: { temperature: 1, max_tokens: 24 }, trials: 2 },
    });
    const read = () => send<ImprovementDto>('GET', `/evaluation/improvements/${started.id}`).catch(() => null);
    const steps = new Set<string>();
    const isOver = async () => {
      const found = await read();
      if (found?.step && !steps.has(found.step)) {
        steps.add(found.step);
        await kill();
      }
      return typeof found?.ended_at === 'string';
    };
    await until(isOver, 'the improvement', 1_500_000);
    const done = (await read()) as ImprovementDto;
    const jobs = await send<{ data: unknown[] }>('GET', `/v1/preview/training-jobs?model_id=${liked}`);
    expect(jobs.data).toHaveLength(done.candidates.filter(({ training_job_id: id }) => id !== null).length);
    expect(done).toMatchObject({ status: 'promoted', current_step: 0 });
    const [best] = done.candidates.filter(({ state }) => state === 'promoted');
    expect(best?.win_rate?.low).toBeGreaterThan(0.5);
    expect(done.candidates.filter(({ state }) => state === 'not_possible').map(({ method }) => method)).toEqual(
      expect.arrayContaining(['sft', 'distill']),
    );
  });
});
