import { newId } from '@hone/database';
import { FakeUpstream } from '@hone/testing/fakes';

import { answerOf } from '../../dispatch/answer-rig.fixture.js';
import { FAULT_ROWS, type FaultRow, forwardedText, ODD_ROWS } from '../../dispatch/policy/fault-rows.fixture.js';
import { MessageGrammar } from '../../doors/messages/answer/message-grammar.fixture.js';
import { ResponseGrammar } from '../../doors/responses/answer/response-grammar.fixture.js';
import { fakeUpstream, faultyUpstreams, routeTo, upstreamOf } from './fake-upstreams.fixture.js';
import { type FaultyGateway, startFaultyGateway } from './faulty-gateway.fixture.js';

/** What an answer says of itself. */
interface DoorAnswer {
  readonly text: string;
  /** It ends as a success does. */
  readonly isWhole: boolean;
  readonly errorCode: string | null;
}

/** A door, as its callers know it. Reading a stream throws where it breaks the door's grammar. */
interface Door {
  readonly path: string;
  body(model: string, stream: boolean): object;
  readStream(body: string): DoorAnswer;
  readWhole(body: string): DoorAnswer;
}

interface Response {
  readonly error: { readonly code: string } | null;
  readonly output: readonly { readonly content?: readonly { readonly text?: string }[] }[];
}

interface Message {
  readonly content: readonly { readonly text?: string }[];
}

const saidIn = (content: Message['content']): string => content.map(({ text = '' }) => text).join('');

const textOf = ({ output }: Response): string =>
  output.flatMap(({ content = [] }) => content.map(({ text = '' }) => text)).join('');

const DOORS: Readonly<Record<string, Door>> = {
  responses: {
    path: '/v1/responses',
    body: (model, stream) => ({ model, stream, input: 'hi' }),
    readStream(body) {
      const { end, response } = ResponseGrammar.of(body);
      const deltas = [...body.matchAll(/"type":"response.output_text.delta".*?"delta":("(?:[^"\\]|\\.)*")/g)];
      const text = deltas.map(([, json]) => JSON.parse(json as string) as string).join('');
      const { error } = response as unknown as Response;
      return { text, isWhole: end === 'response.completed', errorCode: error?.code ?? null };
    },
    readWhole(body) {
      const response = JSON.parse(body) as Response;
      return { text: textOf(response), isWhole: true, errorCode: null };
    },
  },
  messages: {
    path: '/v1/messages',
    body: (model, stream) => ({ model, stream, max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] }),
    readStream(body) {
      const { end, message, errorCode } = MessageGrammar.of(body);
      return { text: saidIn(message), isWhole: end === 'message_stop', errorCode };
    },
    readWhole(body) {
      return { text: saidIn((JSON.parse(body) as Message).content), isWhole: true, errorCode: null };
    },
  },
};

/** Events that a server of messages may send anywhere, which the grammar does not have. */
const PINGS = /event: ping\ndata: .*\n\n/g;

/** What differs where an upstream speaks the door itself. */
const NATIVE_ROWS: Readonly<
  Record<string, Readonly<Record<string, Partial<FaultRow> | 'whole' | 'refused' | 'repeated'>>>
> = {
  responses: {
    // The event that ends a response has all of it: nothing that follows matters.
    'no-done-reset': 'whole',
    'two-finishes': 'whole',
    // No count of tokens disproves that a broken frame had some.
    'lost-frame@3': { tokens: 3 },
    'other-form': 'refused',
  },
  messages: {
    'lost-frame@3': { tokens: 3 },
    'other-form': 'refused',
    // A message may have several of these, which the grammar of our own does not know.
    'repeated-finish': 'repeated',
  },
};

const CHAT_PATH = '/v1/chat/completions';
const { 'repeated-finish': _, ...MESSAGE_ROWS } = NATIVE_ROWS['messages'] ?? {};
const MESSAGES_ALONE = { path: '/v1/messages', more: { dialect: 'anthropic' }, rows: MESSAGE_ROWS };

describe.each(
  Object.entries(DOORS).flatMap(([name, door]) => [
    { name, door, form: 'chat completions', path: CHAT_PATH, more: {}, rows: {} as (typeof NATIVE_ROWS)[string] },
    { name, door, form: 'the door itself', path: door.path, more: { speaks: [name] }, rows: NATIVE_ROWS[name] ?? {} },
    // Of the two doors, one is translated twice.
    ...(name === 'messages' ? [] : [{ name, door, form: 'messages alone', ...MESSAGES_ALONE }]),
  ]),
)('the fault table, through the door $name of upstreams that speak $form', ({ door, form, path, more, rows }) => {
  const isNative = form !== 'chat completions';
  let a: FakeUpstream;
  let b: FakeUpstream;
  let gateway: FaultyGateway;
  beforeAll(async () => {
    [a, b] = [await FakeUpstream.start({ name: 'a' }), await FakeUpstream.start({ name: 'b' })];
    const models = [...new Set([...FAULT_ROWS, ...ODD_ROWS].map(({ model }) => model))];
    gateway = await startFaultyGateway({
      upstreams: [...faultyUpstreams(a, models, more), fakeUpstream(b, 'backup', ['ok'], more)],
      routes: models.flatMap((model) => [
        routeTo(`alone ${model}`, { upstream: upstreamOf(model), model }),
        routeTo(`backed ${model}`, { upstream: upstreamOf(model), model }, { upstream: 'backup', model: 'ok' }),
      ]),
    });
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all([a.stop(), b.stop()]);
  });

  async function outcomeOf(model: string, stream: boolean, guard = 'passthrough') {
    const rid = newId();
    const response = await fetch(gateway.client.url + door.path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.writer.key}`,
        'content-type': 'application/json',
        'x-request-id': rid,
        'hone-stream-guard': guard,
      },
      body: JSON.stringify(door.body(model, stream)),
    });
    const { status } = response;
    const body = await response.text();
    const shown = isNative ? body.replaceAll(PINGS, '') : body;
    const answer = status === 200 ? (stream ? door.readStream(shown) : door.readWhole(body)) : refusalOf(body);
    const used = await gateway.used(rid);
    return { status, ...answer, used: used.status, usedCode: used.errorCode };
  }

  const refusalOf = (body: string): DoorAnswer => {
    const { error } = JSON.parse(body) as { error: { code?: string; details?: { error_code: string } } };
    return { text: '', isWhole: false, errorCode: error.code ?? error.details?.error_code ?? null };
  };
  const whole = (by: string) => ({
    status: 200,
    text: answerOf(by),
    isWhole: true,
    errorCode: null,
    used: 'ok',
    usedCode: null,
  });
  const refused = (status: number, code: string) => ({
    ...{ status, text: '', isWhole: false, errorCode: code },
    ...{ used: 'error', usedCode: code },
  });
  const broken = (row: FaultRow) => ({ ...refused(200, row.streamCode ?? ''), text: textBefore(row) });
  const textBefore = (row: FaultRow) => forwardedText(isNative ? { ...row, model: '' } : row);
  const isLate = ({ streamCode, tokens = 0 }: FaultRow) => streamCode !== undefined && tokens > 0;

  const isWhole = ({ model }: { readonly model: string }) => rows[model] === 'whole';
  const faults = FAULT_ROWS.filter((row) => !isWhole(row)).map((row) => ({ ...row, ...(rows[row.model] as object) }));

  it.each(faults)('$row', async (row) => {
    const { model, status, code, isFinal = false, whole: plain = {} } = row;
    const refusal = refused(status, code);
    const backed = isFinal ? refusal : whole('b');
    const asked: Promise<[unknown, unknown]>[] = [
      outcomeOf(`alone ${model}`, true).then((is) => [is, isLate(row) ? broken(row) : refusal]),
      outcomeOf(`backed ${model}`, true).then((is) => [is, isLate(row) ? broken(row) : backed]),
      outcomeOf(`alone ${model}`, true, 'buffered').then((is) => [is, refusal]),
      outcomeOf(`backed ${model}`, true, 'buffered').then((is) => [is, backed]),
    ];
    if (plain !== 'ok') {
      const refusal = refused(plain.status ?? status, plain.code ?? code);
      asked.push(outcomeOf(`alone ${model}`, false).then((is) => [is, refusal]));
    }
    const pairs = await Promise.all(asked);
    expect(pairs.map(([is]) => is)).toEqual(pairs.map(([, should]) => should));
  });

  const odd = [...ODD_ROWS, ...FAULT_ROWS.filter(isWhole)].filter(
    ({ model }) => rows[model] === undefined || rows[model] === 'whole',
  );

  it.each(odd)('$row is whole', async ({ model }) => {
    expect(await outcomeOf(`alone ${model}`, true)).toEqual(whole('a'));
  });

  it('refuses what did not stream where it should have, in the form of the door alone', async () => {
    const should = isNative ? refused(502, 'upstream_invalid') : whole('a');
    expect(await outcomeOf('alone other-form', true)).toEqual(should);
  });

  it('asks upstreams in the form that they speak', async () => {
    a.forget();
    expect(await outcomeOf('alone ok+native-usage', false)).toEqual(whole('a'));
    expect(a.requests.map((request) => request.path)).toEqual([path]);
  });
});
