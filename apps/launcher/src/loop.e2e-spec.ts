import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FAMILIES, type Family, heldOutExamples, practiceExamples } from '@hone/engine/hone-tiny';
import { until } from '@hone/testing/until';
import { jest } from '@jest/globals';
import OpenAI from 'openai';

import { freePorts } from './config/free-ports.js';
import { RunningLauncher } from './testing/running-launcher.js';

/** Prompts that people ask in all, in rounds with a job each; the long form has 600. */
const PROMPTS = Number(process.env['HONE_LOOP_PROMPTS'] ?? 240);
const [QUESTIONS, SAMPLES] = [6, 10];
const ROUNDS = Math.ceil(PROMPTS / (QUESTIONS * SAMPLES));
const HELD_OUT = 60;
/** The long form also trains a second model on what was logged of the same chats, without training data from calls. */
const IS_LONG = PROMPTS >= 600;
const [TWIN_HELD_OUT, MAX_APART] = [300, 0.03];
const MODEL = 'hone-artifact:///local/default/loop';
const TWIN = 'hone-artifact:///local/default/twin';
/** The kind of question that the tour learns by rewards. */
const FAMILY = FAMILIES.find(({ name }) => name === 'reverse') as Family;

type Messages = OpenAI.ChatCompletionMessageParam[];
interface Asked {
  messages: Messages;
  answer: string;
}
/** What a call says of a chat with a trained model. */
interface KeptChat {
  inputs: { messages: Messages };
  output: { choices: [{ message: { content: string }; finish_reason: string }] };
  attributes: {
    hone: { tokens: { prompt_token_ids: number[]; choices: [{ token_ids: number[]; logprobs: number[] }] } };
  };
}
const toAsked = ({ messages, answer }: { messages: readonly object[]; answer: string }): Asked => ({
  messages: messages.slice(0, -1) as Messages,
  answer,
});

// It starts everything and trains, on a machine that may be busy.
jest.setTimeout(900_000);

describe('live traffic and thumbs', () => {
  let folder: string;
  let base: string;
  let key: string;
  let launcher: RunningLauncher;
  let openai: OpenAI;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hone-loop-'));
    const [port] = (await freePorts(1)) as [number];
    base = `http://127.0.0.1:${port}`;
    launcher = new RunningLauncher({ HONE_PORT: String(port), HONE_DATA_DIR: join(folder, '.hone') });
    await launcher.says('Hone is ready on');
    key = readFileSync(join(folder, '.hone/api-key'), 'utf8').trim();
    openai = new OpenAI({ baseURL: `${base}/v1`, apiKey: key, maxRetries: 5 });
  });
  afterAll(async () => {
    launcher.kill('SIGTERM');
    expect(await launcher.exited).toBe(0);
    rmSync(folder, { recursive: true, force: true });
  });

  async function send<T>(method: string, path: string, body?: object, auth = `Bearer ${key}`): Promise<T> {
    const headers = { authorization: auth, 'content-type': 'application/json' };
    const response = await fetch(`${base}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }
  const basic = () => `Basic ${Buffer.from(`api:${key}`).toString('base64')}`;
  const post = <T>(path: string, body: object) => send<T>('POST', path, body);

  const ask = (messages: Messages, more: object) =>
    openai.chat.completions.create({ model: MODEL, messages, max_tokens: 24, ...more });

  async function accuracy(model = MODEL, heldOut = HELD_OUT): Promise<number> {
    const questions = heldOutExamples(FAMILY, 77, heldOut).map(toAsked);
    const answers = await Promise.all(
      questions.map(({ messages }) => ask(messages, { model, temperature: 0, user: 'exam' })),
    );
    const right = questions.filter(({ answer }, at) => answers[at]?.choices[0]?.message.content === answer);
    return right.length / heldOut;
  }

  const createModel = (name: string) =>
    post<{ id: string }>('/v1/preview/models', { project: 'default', name, base_model: 'hone-tiny' });

  async function train(body: object): Promise<void> {
    const learning = { experimental_config: { learning_rate: 2e-3 } };
    const { id } = await post<{ id: string }>('/v1/preview/training-jobs', { ...learning, ...body });
    await until(
      async () => {
        const job = await send<{ status: string; error: unknown }>('GET', `/v1/preview/training-jobs/${id}`);
        if (job.status === 'failed') throw new Error(JSON.stringify(job.error));
        return job.status === 'succeeded';
      },
      'the job',
      300_000,
    );
  }

  /** Chats as people do, without a word about tokens; returns the ids of the calls. */
  async function chatAndJudge(round: number): Promise<string[]> {
    const questions = practiceExamples(FAMILY, 1_000 + round, QUESTIONS).map(toAsked);
    return Promise.all(
      questions.flatMap(({ messages, answer }, index) =>
        Array.from({ length: SAMPLES }, async (_, sample) => {
          const seed = (round * QUESTIONS + index) * SAMPLES + sample;
          const { id, choices } = await ask(messages, { temperature: 1, seed, user: `round-${round}` });
          const emoji = choices[0]?.message.content === answer ? '👍' : '👎';
          const body = {
            project_id: 'local/default',
            completion_id: id,
            feedback_type: 'hone.reaction.1',
            payload: { emoji },
          };
          await send('POST', '/feedback/create', body, basic());
          return id.replace('chatcmpl-', '');
        }),
      ),
    );
  }

  /** The chats of a round as a client that knows of tokens would have logged them: a group for each question. */
  async function loggedGroups(round: number): Promise<object[]> {
    const response = await fetch(`${base}/calls/stream_query`, {
      method: 'POST',
      headers: { authorization: basic(), 'content-type': 'application/json' },
      body: JSON.stringify({ project_id: 'local/default', filter: { thread_ids: [`round-${round}`] } }),
    });
    const answers = new Map(
      practiceExamples(FAMILY, 1_000 + round, QUESTIONS)
        .map(toAsked)
        .map(({ messages, answer }) => [JSON.stringify(messages), answer]),
    );
    const groups = new Map<string, object[]>();
    for (const line of (await response.text()).trimEnd().split('\n')) {
      const { inputs, output, attributes } = JSON.parse(line) as KeptChat;
      const question = JSON.stringify(inputs.messages);
      const group = groups.get(question) ?? [];
      groups.set(question, group);
      const [{ message, finish_reason }] = output.choices;
      const { prompt_token_ids, choices } = attributes.hone.tokens;
      const [{ token_ids, logprobs }] = choices;
      const content = token_ids.map((id, at) => ({ token: `token_id:${id}`, logprob: logprobs[at] }));
      group.push({
        reward: message.content === answers.get(question) ? 1 : 0,
        initial_policy_version: round,
        messages_and_choices: [
          ...inputs.messages,
          { message, finish_reason, prompt_token_ids, token_ids, logprobs: { content } },
        ],
      });
    }
    return [...groups.values()].map((trajectories) => ({ trajectories }));
  }

  const countCalls = async (round: number) => {
    const body = { project_id: 'local/default', filter: { thread_ids: [`round-${round}`] } };
    return (await send<{ count: number }>('POST', '/calls/query_stats', body, basic())).count;
  };

  it('make a model better, by an OpenAI client and two requests a round', async () => {
    const model = await createModel('loop');
    const twin = IS_LONG ? await createModel('twin') : null;
    const before = await accuracy();
    let asked: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      asked = await chatAndJudge(round);
      await until(async () => (await countCalls(round)) === asked.length, 'the calls');
      const body = {
        ...{ entity: 'local', project: 'default', name: 'thumbs', kind: 'rl' },
        source: { filter: { thread_ids: [`round-${round}`] } },
      };
      const data = await post<{
        url: string;
        digest: string;
        counts: { used: number; untrainable: number };
        skipped: object[];
        diagnosis: { ok: boolean };
      }>('/v1/preview/training-data/from-calls', body);
      expect(data).toMatchObject({
        counts: { calls: asked.length, groups: QUESTIONS, trajectories: asked.length },
        skipped: [],
        policy: { model_id: model.id, latest_step: round, oldest_step: round },
        diagnosis: { ok: true },
      });
      // Thumbs of a question may all be the same: such a group teaches nothing.
      expect(data.counts.used + data.counts.untrainable).toBe(asked.length);
      const again = await post<{ digest: string }>('/v1/preview/training-data/from-calls', { ...body, dry_run: true });
      expect(again.digest).toBe(data.digest);
      await train({ model_id: model.id, training_data_url: data.url });
      if (twin) await train({ model_id: twin.id, trajectory_groups: await loggedGroups(round) });
    }
    const after = await accuracy();
    expect(after).toBeGreaterThan(before + 0.05);
    if (twin) {
      const [ofCalls, ofLogs] = [await accuracy(MODEL, TWIN_HELD_OUT), await accuracy(TWIN, TWIN_HELD_OUT)];
      process.stderr.write(`accuracy ${before} before, ${ofCalls} by calls, ${ofLogs} by logged trajectories\n`);
      expect(Math.abs(ofCalls - ofLogs)).toBeLessThanOrEqual(MAX_APART);
    }

    const { last_id: checkpoint } = await send<{ last_id: string }>(
      'GET',
      `/v1/preview/models/${model.id}/checkpoints?limit=1&order=desc`,
    );
    const lineage = await send<{ calls: { data: { id: string; feedback: { feedback_type: string }[] }[] } }>(
      'GET',
      `/v1/preview/checkpoints/${checkpoint}/lineage?limit=100`,
    );
    expect(lineage.calls.data.map(({ id }) => id)).toEqual([...asked].sort());
    for (const call of lineage.calls.data) expect(call.feedback).toMatchObject([{ feedback_type: 'hone.reaction.1' }]);
    const uses = await send('GET', `/calls/${asked[0]}/used-in?project_id=local%2Fdefault`, undefined, basic());
    expect(uses).toMatchObject({ used_in: [{ jobs: [{ checkpoint_id: checkpoint, step: ROUNDS }] }] });
  });
});
