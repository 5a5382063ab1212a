import { type TestResponse, until } from '@hone/testing';
import { FakeVllm } from '@hone/testing/fakes';

import { MeteringService } from '../../metering/recording/metering.service.js';
import type { BodyJson } from '../../targets/embedded/embedded.fixture.js';
import { aVllm, LOCAL_OFF } from '../trained/adapters.fixture.js';
import { startTrainedGateway, type TrainedGateway, type WorldModel } from '../trained/trained-world.fixture.js';

interface Kept {
  model: string;
  model_id?: string;
  step?: number;
  checkpoint?: string;
  hone?: { tokens: { prompt_token_ids: number[]; choices: { token_ids: number[]; logprobs: number[] }[] } };
}

/** What differs between two answers to the same request. */
const comparable = (text: string): string =>
  text.replaceAll(/"created":\d+/g, '"created":0').replaceAll(/call_[0-9a-f]{24}/g, 'call_0');

const TOOL = { type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } };
/** Each asks for the same answer in another form. */
const FORMS = [
  {},
  { stream: true },
  { logprobs: true, top_logprobs: 2 },
  { stream: true, logprobs: true },
  { return_token_ids: true },
  { stream: true, return_token_ids: true, stream_options: { include_usage: true, continuous_usage_stats: true } },
];

/** Asks and reads the call. */
class CallReader {
  private count = 0;

  constructor(private readonly gateway: TrainedGateway) {}

  ask(model: string, fields: object, log: string, rid = `r-${(this.count += 1)}`): Promise<TestResponse> {
    const headers = { 'hone-log': log, 'x-request-id': rid };
    return this.gateway.ask(model, { logprobs: null, ...fields }, { headers });
  }

  async attributesOf(response: TestResponse): Promise<Kept> {
    const [, id = ''] = /call\/(.+)$/.exec(String(response.headers['hone-call'])) ?? [];
    return until(async () => {
      await this.gateway.app.get(MeteringService).flush();
      const [row] = await this.gateway.sql<{ attributes: Kept }>(
        `SELECT attributes_text::json attributes FROM call_values WHERE id = '${id}'`,
      );
      return row?.attributes ?? false;
    }, 'a call');
  }

  /** The answer of a call that keeps its tokens is that of one that does not, byte for byte. */
  async keptOf(model: string, fields: object): Promise<Kept> {
    const rid = `same-${(this.count += 1)}`;
    const plain = await this.ask(model, fields, 'metadata', rid);
    expect(plain.status).toBe(200);
    const full = await this.ask(model, fields, 'full', rid);
    expect(comparable(full.text)).toBe(comparable(plain.text));
    const { headers } = full;
    // The id is taken by the other call.
    const calls = await until(async () => {
      await this.gateway.app.get(MeteringService).flush();
      const rows = await this.gateway.sql<{ attributes: Kept }>(
        `SELECT v.attributes_text::json attributes FROM call_values v JOIN calls c USING (project_id, id)
         WHERE v.attributes_text::json->>'request_id' = '${rid}' ORDER BY c.started_at`,
      );
      return rows.length === 2 && rows;
    }, 'both calls');
    expect(calls[0]?.attributes).not.toHaveProperty('hone');
    expect(headers['hone-policy-version']).toBe(String(calls[1]?.attributes.step));
    return calls[1]!.attributes;
  }
}

describe('calls of a trained model on the embedded engine', () => {
  let gateway: TrainedGateway;
  let calls: CallReader;
  let model: WorldModel;
  let checkpoint: string;
  beforeAll(async () => {
    gateway = await startTrainedGateway();
    calls = new CallReader(gateway);
    model = await gateway.world.createModel({ name: 'agent' });
    checkpoint = (await gateway.world.commit(model, 2)).id;
  });
  afterAll(() => gateway.close());

  it.each(FORMS)('keep the tokens of an answer to %j, which looks as without', async (form) => {
    const fields = { n: 2, temperature: 1, seed: 7, max_tokens: 6 };
    const asked = { logprobs: true, return_token_ids: true };
    const shown = (await calls.ask(model.ref, { ...fields, ...asked }, 'off')).json() as BodyJson;
    const kept = await calls.keptOf(model.ref, { ...fields, ...form });
    expect(kept).toMatchObject({ model: `${model.ref}:step2`, model_id: model.id, step: 2, checkpoint });
    expect(kept.hone?.tokens).toEqual({
      prompt_token_ids: shown.prompt_token_ids,
      choices: shown.choices.map(({ token_ids: ids, logprobs }) => ({
        token_ids: ids,
        logprobs: logprobs?.content.map(({ logprob }) => logprob),
      })),
    });
  });

  it('keep the tokens of tool calls', async () => {
    const fields = { tools: [TOOL], tool_choice: 'required', temperature: 0, seed: 1, max_tokens: 60 };
    await calls.ask(model.ref, fields, 'off'); // the next ones find the prompt in the cache
    const kept = await calls.keptOf(model.ref, fields);
    const choice = kept.hone?.tokens.choices[0];
    expect(choice?.token_ids.length).toBeGreaterThan(0);
    expect(choice?.logprobs).toHaveLength(choice?.token_ids.length as number);
  });

  it('name the base as step 0, and say nothing of the kind for what was not trained', async () => {
    const kept = await calls.attributesOf(await calls.ask(`${model.ref}:step0`, {}, 'full'));
    expect(kept).toMatchObject({ model_id: model.id, step: 0, hone: { tokens: {} } });
    expect(kept).not.toHaveProperty('checkpoint');
    const base = await calls.attributesOf(await calls.ask('hone-tiny', {}, 'full'));
    for (const name of ['model_id', 'step', 'hone']) expect(base).not.toHaveProperty(name);
  });

  it('have the checkpoint, but no tokens, where no content is kept', async () => {
    const metadata = await calls.attributesOf(await calls.ask(model.ref, {}, 'metadata'));
    expect(metadata).toMatchObject({ model_id: model.id, step: 2, content_logged: false });
    expect(metadata).not.toHaveProperty('hone');
  });
});

describe('calls of a trained model on a vLLM server', () => {
  let fake: FakeVllm;
  let gateway: TrainedGateway;
  let calls: CallReader;
  let model: WorldModel;
  beforeAll(async () => {
    fake = await FakeVllm.start();
    gateway = await startTrainedGateway({ upstreams: [LOCAL_OFF, aVllm('vllm-a', fake)] });
    calls = new CallReader(gateway);
    model = await gateway.world.createModel({ name: 'agent' });
    await gateway.world.commit(model, 1);
  });
  afterAll(async () => {
    await gateway.close();
    await fake.kill();
  });
  afterEach(() => Object.assign(fake.faults, { isTokenless: false, paddingBytes: 0 }));

  it.each(FORMS)('keep the tokens of an answer to %j, which looks as without', async (form) => {
    const kept = await calls.keptOf(model.ref, form);
    expect(kept).toMatchObject({ model: `${model.ref}:step1`, model_id: model.id, step: 1 });
    // A stream has the frame of a token without text.
    const ids = 'stream' in form ? [100, 101, 102, 103] : [100, 101, 102];
    expect(kept.hone?.tokens).toEqual({
      prompt_token_ids: [1, 2, 3, 4, 5],
      choices: [{ token_ids: ids, logprobs: ids.map((id) => -0.125 * (id - 99)) }],
    });
  });

  it('keep the tokens of an answer that is too large to be parsed', async () => {
    fake.faults.paddingBytes = 100_000;
    expect((await calls.keptOf(model.ref, {})).hone?.tokens.choices[0]?.token_ids).toEqual([100, 101, 102]);
  });

  it.each([{}, { stream: true }])('have none where the server does not send them: %j', async (form) => {
    fake.faults.isTokenless = true;
    expect(await calls.keptOf(model.ref, form)).not.toHaveProperty('hone');
  });

  it('have them though the caller sends null for the number of alternatives', async () => {
    expect((await calls.keptOf(model.ref, { top_logprobs: null })).hone?.tokens.choices[0]?.logprobs).toHaveLength(3);
  });
});
