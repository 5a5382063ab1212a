import { newId } from '@hone/database';
import { FakeUpstream } from '@hone/testing/fakes';

import { answerOf } from '../../dispatch/answer-rig.fixture.js';
import {
  FAULT_ROWS,
  type FaultRow,
  forwardedText,
  ODD_ROWS,
  WHOLE_FAULT_ROWS,
} from '../../dispatch/policy/fault-rows.fixture.js';
import { COST_NANO_USD, fakeUpstream, faultyUpstreams, routeTo, upstreamOf } from './fake-upstreams.fixture.js';
import { type FaultyGateway, startFaultyGateway } from './faulty-gateway.fixture.js';

type Guard = 'passthrough' | 'buffered';

/** A port without a listener. */
const DEAD = 'http://127.0.0.1:1/v1';

const failed = (errorCode: string) => ({ status: 'error', errorCode, isBilled: false, costNanoUsd: 0 });

/** A complete answer of the fake `by`, and its record. */
const whole = (by: string, isStream: boolean) => ({
  status: 200,
  text: answerOf(by),
  finishReasons: ['stop'],
  dones: isStream ? 1 : 0,
  errorCode: null,
  used: { status: 'ok', errorCode: null, isBilled: true, costNanoUsd: COST_NANO_USD },
});

/** An error before anything was sent. */
const refused = (status: number, code: string) => ({
  status,
  text: '',
  finishReasons: [],
  dones: 0,
  errorCode: code,
  used: failed(code),
});

/** A stream that ends in an error. */
const broken = (code: string, text: string) => ({ ...refused(200, code), text });

describe('the fault table, over HTTP', () => {
  let a: FakeUpstream;
  let b: FakeUpstream;
  let gateway: FaultyGateway;
  beforeAll(async () => {
    [a, b] = (await Promise.all(['a', 'b'].map((name) => FakeUpstream.start({ name })))) as [
      FakeUpstream,
      FakeUpstream,
    ];
    const models = [...FAULT_ROWS, ...WHOLE_FAULT_ROWS, ...ODD_ROWS].map(({ model }) => model);
    const backup = { upstream: 'backup', model: 'ok' };
    const dead = { upstream: 'dead', model: 'ok' };
    gateway = await startFaultyGateway({
      upstreams: [
        ...faultyUpstreams(a, models),
        fakeUpstream(b, 'backup', ['ok']),
        fakeUpstream(a, 'dead', ['ok'], { base_url: DEAD }),
      ],
      routes: [
        ...[...new Set(models)].flatMap((model) => [
          routeTo(`alone ${model}`, { upstream: upstreamOf(model), model }),
          routeTo(`backed ${model}`, { upstream: upstreamOf(model), model }, backup),
        ]),
        routeTo('alone dead', dead),
        routeTo('backed dead', dead, backup),
      ],
    });
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all([a.stop(), b.stop()]);
  });

  /** The response and the record, in the form of the expectations above. */
  async function outcomeOf(model: string, stream: boolean, guard: Guard = 'passthrough') {
    const rid = newId();
    const answer = await gateway.client.ask({ model, stream }, { 'x-request-id': rid, 'hone-stream-guard': guard });
    const { status, errorCode, isBilled, costNanoUsd } = await gateway.used(rid);
    const { text, finishReasons, dones } = answer;
    return {
      status: answer.status,
      text,
      finishReasons,
      dones,
      errorCode: answer.errorCode,
      used: { status, errorCode, isBilled, costNanoUsd },
    };
  }

  /** A stream of which some text was forwarded when the fault struck. */
  const isLate = ({ streamCode, tokens = 0 }: FaultRow) => streamCode !== undefined && tokens > 0;
  const brokenBy = (row: FaultRow) => broken(row.streamCode ?? '', forwardedText(row));

  describe.each(FAULT_ROWS)('$row', (row) => {
    const { model, status, code, isFinal = false } = row;

    it('passthrough', async () => {
      const [alone, backed] = await Promise.all(['alone', 'backed'].map((kind) => outcomeOf(`${kind} ${model}`, true)));
      expect(alone).toEqual(isLate(row) ? brokenBy(row) : refused(status, code));
      expect(backed).toEqual(isLate(row) ? brokenBy(row) : isFinal ? refused(status, code) : whole('b', true));
    });

    it('buffered', async () => {
      const [alone, backed] = await Promise.all(
        ['alone', 'backed'].map((kind) => outcomeOf(`${kind} ${model}`, true, 'buffered')),
      );
      expect(alone).toEqual(refused(status, code));
      expect(backed).toEqual(isFinal ? refused(status, code) : whole('b', true));
    });

    const { whole: plain = {} } = row;
    if (plain === 'ok') return;

    it('no stream', async () => {
      const [alone, backed] = await Promise.all(
        ['alone', 'backed'].map((kind) => outcomeOf(`${kind} ${model}`, false)),
      );
      const refusal = refused(plain.status ?? status, plain.code ?? code);
      expect(alone).toEqual(refusal);
      expect(backed).toEqual(isFinal ? refusal : whole('b', false));
    });
  });

  it.each(WHOLE_FAULT_ROWS)('$row, no stream', async ({ model, status, code }) => {
    expect(await outcomeOf(`alone ${model}`, false)).toEqual(refused(status, code));
    expect(await outcomeOf(`backed ${model}`, false)).toEqual(whole('b', false));
  });

  describe.each(['passthrough', 'buffered'] as const)('%s', (guard) => {
    it.each([true, false])('1 refused, stream: %s', async (stream) => {
      expect(await outcomeOf('alone dead', stream, guard)).toEqual(refused(502, 'upstream_unreachable'));
      expect(await outcomeOf('backed dead', stream, guard)).toEqual(whole('b', stream));
    });

    it.each(ODD_ROWS)('$row is whole', async ({ model }) => {
      expect(await outcomeOf(`alone ${model}`, true, guard)).toEqual(whole('a', true));
      expect(await outcomeOf(`backed ${model}`, true, guard)).toEqual(whole('a', true));
    });
  });
});
