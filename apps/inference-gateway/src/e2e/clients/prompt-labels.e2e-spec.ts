import { until } from '@hone/testing';

import { MeteringService } from '../../metering/recording/metering.service.js';
import { type ClientsApp, startClientsApp } from './clients.fixture.js';
import { PromptObjects } from './prompt-objects.fixture.js';

const CHAT = '/v1/chat/completions';
const MESSAGES = '/v1/messages';
const RESPONSES = '/v1/responses';
const THREADS = Array.from({ length: 24 }, (_, n) => `thread-${n}`);
const say = (content: string) => ({ messages: [{ role: 'user', content }] });

/** Where a request is sent, what it says of its thread, and further fields. */
interface Asked extends Readonly<Record<string, unknown>> {
  readonly thread?: string;
  readonly path?: string;
}

describe('a label of a prompt that is split over versions', () => {
  let gateway: ClientsApp;
  let objects: PromptObjects;
  let project: string;
  let cat: string;
  let dog: string;
  beforeAll(async () => {
    gateway = await startClientsApp();
    objects = new PromptObjects(gateway, gateway.writer.id);
    // The first request makes the project of the key.
    await gateway.caller.post(CHAT, { model: 'ok', messages: [{ role: 'user', content: 'x' }] });
    const [own] = await gateway.sql<{ id: string }>(`SELECT id FROM projects`);
    project = own!.id;
    cat = await objects.publish(project, 'animal', say('cat'));
    dog = await objects.publish(project, 'animal', say('dog'));
  });
  afterAll(() => gateway.close());

  const split = (alias: string, weights: Record<string, number>) =>
    objects.label(project, 'animal', alias, cat, weights);

  /** What a request asks the upstream, and the id of its answer. */
  async function ask(label: string, { thread, path = CHAT, ...more }: Asked = {}) {
    gateway.scripted.say({ content: 'x' });
    const body = { model: 'scripted', prompt: { id: 'animal', label }, ...more };
    const headers: Record<string, string> = thread === undefined ? {} : { 'hone-thread': thread };
    const { status, json } = await gateway.caller.post(path, body, { headers });
    expect(status).toBe(200);
    const [message] = gateway.scripted.requests.at(-1)!.messages as { content: string }[];
    return { said: message!.content, id: String(json().id) };
  }
  const saidTo = async (threads: readonly string[], label: string) => {
    const said: string[] = [];
    for (const thread of threads) said.push((await ask(label, { thread })).said);
    return said;
  };

  it('gives a thread the same version each time, in each form', async () => {
    await split('even', { [cat]: 50, [dog]: 50 });
    const said = await saidTo(THREADS, 'even');
    expect(said.map(([first]) => first).join('')).toBe('cccccdccddddccccccdcdcdc');
    expect(await saidTo(THREADS, 'even')).toEqual(said);
    for (const [at, thread] of THREADS.slice(0, 6).entries()) {
      expect((await ask('even', { user: thread })).said).toBe(said[at]);
      expect((await ask('even', { thread, user: 'other' })).said).toBe(said[at]);
      expect((await ask('even', { path: RESPONSES, user: thread })).said).toBe(said[at]);
      const message = { path: MESSAGES, max_tokens: 9, metadata: { user_id: thread } };
      expect((await ask('even', message)).said).toBe(said[at]);
    }
  });

  it('moves only threads to the version that gets more', async () => {
    await split('canary', { [cat]: 90, [dog]: 10 });
    const before = await saidTo(THREADS, 'canary');
    await split('ramp', { [cat]: 60, [dog]: 40 });
    const after = await saidTo(THREADS, 'ramp');
    for (const [at, said] of before.entries()) expect([said, 'dog']).toContain(after[at]);
    expect([before, after].map((all) => all.filter((one) => one === 'dog').length)).toEqual([0, 8]);
  });

  it('gives requests without a thread either version', async () => {
    await split('chance', { [cat]: 50, [dog]: 50 });
    for (const more of [{}, { user: '' }]) {
      const said = new Set<string>();
      await until(async () => said.add((await ask('chance', more)).said).size === 2);
    }
  });

  it('changes within a second, while callers run, of whom none fails', async () => {
    const [one, two] = [
      await objects.publish(project, 'live', say('repeat: cat')),
      await objects.publish(project, 'live', say('repeat: dog')),
    ];
    await objects.label(project, 'live', 'production', one, { [one]: 1, [two]: 0 });
    const answers: { begunMs: number; answer: string }[] = [];
    let isOver = false;
    const caller = async (_: unknown, at: number) => {
      while (!isOver) {
        const begunMs = performance.now();
        const body = { model: 'hone-tiny', temperature: 0, prompt: { id: 'live', label: 'production' } };
        const { status, json } = await gateway.caller.post(CHAT, body, { headers: { 'hone-thread': `t${at}` } });
        answers.push({ begunMs, answer: status === 200 ? json().choices[0].message.content : `${status}` });
      }
    };
    const callers = Promise.all(Array.from({ length: 32 }, caller));
    await until(() => answers.length > 32);
    await objects.label(project, 'live', 'production', one, { [one]: 0, [two]: 1 });
    const changedMs = performance.now();
    await until(() => answers.some(({ begunMs }) => begunMs > changedMs + 1_200));
    isOver = true;
    await callers;
    const said = (from: number, to: number) =>
      new Set(answers.flatMap(({ begunMs, answer }) => (begunMs >= from && begunMs < to ? answer : [])));
    expect(said(changedMs + 1_000, Infinity)).toEqual(new Set(['dog']));
    expect(said(0, Infinity)).toEqual(new Set(['cat', 'dog']));
  });

  it('is recorded with the call, with the version that answered', async () => {
    await split('kept', { [cat]: 0, [dog]: 1 });
    const { id } = await ask('kept', { thread: 'talk' });
    const [call] = await until(async () => {
      await gateway.app.get(MeteringService).flush();
      const rows = await gateway.sql<{ prompt: unknown; thread: string }>(
        `SELECT v.attributes_text::json->'prompt' prompt, c.thread_id thread FROM call_values v JOIN calls c USING (id)
         WHERE id = $1`,
        [id.replace('chatcmpl-', '')],
      );
      return rows.length > 0 && rows;
    });
    expect(call).toEqual({
      prompt: { id: 'animal', version: 'v1', digest: dog, label: 'kept', variables: {} },
      thread: 'talk',
    });
  });

  it('leaves out versions that are deleted', async () => {
    const gone = await objects.publish(project, 'animal', say('gone'));
    await split('cleared', { [cat]: 1, [gone]: 1_000_000 });
    await gateway.sql(`UPDATE object_versions SET deleted_at = now() WHERE digest = $1`, [gone]);
    expect(new Set(await saidTo(THREADS, 'cleared'))).toEqual(new Set(['cat']));
  });

  it('refuses a thread that no call can have', async () => {
    const body = { model: 'ok', prompt: { id: 'animal', label: 'even' } };
    const headers = { 'hone-thread': 'x'.repeat(129) };
    const { status, json } = await gateway.caller.post(CHAT, body, { headers });
    expect([status, json().error.code]).toEqual([422, 'invalid_header']);
    expect((await gateway.caller.post(CHAT, { ...body, user: 1 })).json().detail).toMatchObject([
      { loc: ['body', 'user'] },
    ]);
  });
});
