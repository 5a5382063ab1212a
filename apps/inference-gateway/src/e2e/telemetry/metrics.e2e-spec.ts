import { request } from 'node:http';

import { until } from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';

import { CHAT_PATH, type ObservedGateway, startObservedGateway } from './observed-gateway.fixture.js';

const MESSAGES = [{ role: 'user', content: 'hi' }];
const SLOW = 'ok+tokens@2000+pace@10';

const TARGETS = {
  plain: ['ok'],
  again: ['status@500+times@1'],
  turned: ['status@401', 'ok+as@backup'],
  damaged: ['damaged-frame@3'],
  malformed: ['broken-frame@3'],
  slow: [SLOW],
  silent: ['silent'],
} as const;

describe('GET /metrics of the gateway', () => {
  let fakes: [FakeUpstream, FakeUpstream];
  let gateway: ObservedGateway;
  beforeAll(async () => {
    fakes = [await FakeUpstream.start(), await FakeUpstream.start()];
    gateway = await startObservedGateway(TARGETS, fakes);
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all(fakes.map((fake) => fake.stop()));
  });

  const ask = (model: string, more: object = {}) =>
    gateway.caller.post(CHAT_PATH, { model, messages: MESSAGES, ...more });
  const stream = (model: string) => ask(model, { stream: true });
  const metric = (name: string) => gateway.metric(`hone_gateway_${name}`);

  /** Requests a stream and leaves once `isTime`. */
  async function askAndLeave(model: string, isTime: (text: string) => boolean): Promise<void> {
    const headers = { authorization: `Bearer ${gateway.writer.key}`, 'content-type': 'application/json' };
    const before = fakes[0].count();
    let text = '';
    // No fetch: after an abort it opens a connection in advance, which a server that stops would wait for.
    const asked = request(`${gateway.url}${CHAT_PATH}`, { method: 'POST', headers, agent: false }, (response) =>
      response.on('data', (chunk) => (text += String(chunk))).on('error', () => undefined),
    );
    asked.on('error', () => undefined).end(JSON.stringify({ model, messages: MESSAGES, stream: true }));
    await until(() => fakes[0].count() > before && isTime(text));
    asked.destroy();
  }

  it('counts requests by route, target, status and result', async () => {
    expect((await ask('plain')).status).toBe(200);
    expect(await metric('requests_total')).toMatchObject({
      'route="plain",target="main/ok",status="200",result="ok"': 1,
    });
    expect(await metric('tokens_total')).toMatchObject({ 'route="plain",target="main/ok",kind="completion"': 9 });
    expect(await metric('request_seconds_count')).toMatchObject({ 'route="plain",result="ok"': 1 });
    expect(await metric('queue_seconds_count')).toMatchObject({ 'route="plain"': 1 });
    expect(await metric('ttft_seconds_count')).toEqual({});
  });

  it('measures time to first token and chunk gaps of streams', async () => {
    expect((await stream('plain')).status).toBe(200);
    expect(await metric('ttft_seconds_count')).toEqual({ 'route="plain",target="main/ok"': 1 });
    expect(await metric('chunk_gap_seconds_count')).toEqual({ 'target="main/ok"': 1 });
  });

  it('counts retries and fail-overs by reason', async () => {
    expect((await ask('again')).status).toBe(200);
    expect(await metric('retries_total')).toEqual({ 'target="main/status@500+times@1",reason="failed"': 1 });
    expect((await ask('turned')).status).toBe(200);
    expect(await metric('failovers_total')).toEqual({ 'target="main/status@401",reason="unauthorized"': 1 });
    expect(await metric('attempts_total')).toMatchObject({
      'target="main/status@500+times@1",outcome="failed"': 1,
      'target="main/status@500+times@1",outcome="ok"': 1,
      'target="main/status@401",outcome="unauthorized"': 1,
      'target="backup/ok+as@backup",outcome="ok"': 1,
    });
  });

  it('counts malformed frames, and streams that lost text', async () => {
    await stream('malformed');
    await stream('damaged');
    await until(async () => (await metric('damaged_frames_total'))['target="main/damaged-frame@3"'] === 1);
    expect(await metric('malformed_frames_total')).toMatchObject({ 'target="main/broken-frame@3"': 1 });
    expect(await metric('odd_answers_total')).toMatchObject({
      'target="main/broken-frame@3",oddity="malformed_frame"': 1,
    });
    expect(await metric('requests_total')).toMatchObject({
      'route="damaged",target="main/damaged-frame@3",status="200",result="failed"': 1,
    });
  });

  it('counts aborted requests by their progress', async () => {
    await askAndLeave('silent', () => true);
    await until(async () => (await metric('aborts_total'))['window="before_first_token"'] === 1);
    await askAndLeave('slow', (text) => text.includes('"content"'));
    await until(async () => (await metric('aborts_total'))['window="streaming"'] === 1);
    expect(await metric('requests_total')).toMatchObject({
      'route="silent",target="main/silent",status="0",result="aborted"': 1,
      [`route="slow",target="main/${SLOW}",status="200",result="aborted"`]: 1,
    });
  });

  it('shows requests in flight', async () => {
    let isSeen = false;
    const running = askAndLeave('slow', () => isSeen);
    const target = `target="main/${SLOW}"`;
    await until(async () => (await metric('target_in_flight'))[target] === 1);
    expect(await metric('requests_in_flight')).toEqual({ '': 1 });
    isSeen = true;
    await running;
    await until(async () => (await metric('requests_in_flight'))[''] === 0);
    expect((await metric('target_in_flight'))[target]).toBe(0);
  });

  it('shows the breaker state of each target, and whether it is usable', async () => {
    await ask('turned');
    const [breakers, usable] = [await metric('breaker_state'), await metric('target_usable')];
    expect(breakers).toMatchObject({
      'target="main/ok",state="closed"': 1,
      'target="main/ok",state="half-open"': 0,
      'target="main/ok",state="open"': 0,
    });
    expect(usable).toMatchObject({ 'target="main/ok"': 1, 'target="main/status@401"': 0 });
    expect(await metric('queued_requests')).toMatchObject({ 'route="plain"': 0 });
  });

  it('has no label that a caller can choose', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `nobody-${index}`);
    for (const name of names) expect((await ask(name)).status).toBe(404);
    await gateway.as('Bearer hone_wrong').post(CHAT_PATH, { model: 'plain', messages: MESSAGES });
    const { text } = await gateway.as(undefined).get('/metrics');
    expect(text).not.toContain('nobody');
    expect(text).not.toContain('acme');
    expect(await metric('requests_total')).toMatchObject({
      'route="none",target="none",status="404",result="refused"': 20,
      'route="none",target="none",status="401",result="refused"': 1,
    });
  });

  it('shows the held checkpoints of trained models', async () => {
    const none = { 'state="in_use"': 0, 'state="idle"': 0, 'state="deleted"': 0, 'state="unpinned"': 0 };
    expect(await metric('checkpoints')).toEqual(none);
  });

  it('shows the lag of the journal', async () => {
    expect(Object.keys(await metric('usage_journal_lag_bytes'))).toEqual(['']);
  });
});
