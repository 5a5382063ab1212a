import type { Worker } from 'node:worker_threads';

import { newId } from '@hone/database';
import { until } from '@hone/testing';

import { EmbeddedModels } from '../../targets/embedded/embedded-models.js';
import { type FaultyGateway, startFaultyGateway } from './faulty-gateway.fixture.js';

/** Long enough to be interrupted. */
const LONG = { model: 'hone-tiny', ignore_eos: true, max_tokens: 150 };
/** Is not awaited. */
const ENDLESS = { max_tokens: 900 };

interface EngineThread {
  readonly worker: Worker;
  readonly generations: ReadonlyMap<number, unknown>;
}

describe('an embedded engine whose thread dies', () => {
  let gateway: FaultyGateway;
  beforeAll(async () => {
    gateway = await startFaultyGateway({ upstreams: [{ name: 'local', kind: 'embedded' }] });
  });
  afterAll(() => gateway.close());

  const thread = () => {
    const models = gateway.app.get(EmbeddedModels) as unknown as { engine: { thread: EngineThread } };
    return models.engine.thread;
  };

  /** Kills the thread while it works on `requests`: an invalid message is an error there. */
  async function crashAt(requests: number): Promise<void> {
    await until(() => thread().generations.size >= requests);
    const dying = thread();
    dying.worker.postMessage(null);
    await until(() => thread() !== dying);
  }

  const ask = async (fields: object = {}) => {
    const rid = newId();
    const answer = await gateway.client.ask({ ...LONG, ...fields }, { 'x-request-id': rid });
    return { answer, used: await gateway.used(rid) };
  };
  const used = (status: string, ...outcomes: string[]) => ({
    status,
    isBilled: status === 'ok',
    attempts: outcomes.map((outcome) => expect.objectContaining({ outcome, target: 'local/hone-tiny' })),
  });

  it('restarts it and answers requests that had sent nothing', async () => {
    const asked = Promise.all(Array.from({ length: 6 }, () => ask()));
    await crashAt(6);
    for (const { answer, used: record } of await asked) {
      expect([answer.status, answer.finishReasons]).toEqual([200, ['length']]);
      expect(answer.headers.get('hone-attempts')).toBe('2');
      expect(record).toMatchObject(used('ok', 'crashed', 'ok'));
    }
    expect((await ask({ stream: true })).answer.isWhole).toBe(true);
  });

  it('fails a request at its second crash', async () => {
    const asked = ask(ENDLESS);
    await crashAt(1);
    await crashAt(1);
    const { answer, used: record } = await asked;
    expect([answer.status, answer.errorCode]).toEqual([502, 'upstream_failed']);
    expect(record).toMatchObject(used('error', 'crashed', 'crashed'));
    expect((await ask()).answer.isWhole).toBe(true);
  });

  it('ends a stream that had begun with an error', async () => {
    const rid = newId();
    const { head } = gateway.client.open({ ...LONG, ...ENDLESS, stream: true }, { 'x-request-id': rid });
    const response = await head;
    let body = '';
    const ended = new Promise((resolve) =>
      response.on('data', (chunk) => (body += String(chunk))).once('end', resolve),
    );
    await until(() => body.includes('"content":'));
    await crashAt(1);
    await ended;
    expect(body).toMatch(/data: \{"detail":"[^"]+","error":\{[^}]*"code":"upstream_failed"\}\}\n\n$/);
    expect(body).not.toMatch(/\[DONE\]|"finish_reason":"/);
    expect(await gateway.used(rid)).toMatchObject({ ...used('error', 'crashed'), errorCode: 'upstream_failed' });
  });
});
