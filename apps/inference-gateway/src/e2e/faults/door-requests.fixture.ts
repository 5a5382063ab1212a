import type { FakeUpstream } from '@hone/testing/fakes';

import { COST_NANO_USD, fakeUpstream, routeTo } from './fake-upstreams.fixture.js';
import type { GatewayAnswer } from './gateway-answer.fixture.js';

/** A request through one of the doors. */
export interface DoorRequest {
  readonly path: string;
  readonly body: object;
  /** What its answer costs, in billionths of a dollar, unless it comes from the cache; null: it is not known before. */
  readonly costNanoUsd: number | null;
  /** The last byte of the answer has arrived, and it ends as a success does. */
  isWhole(answer: GatewayAnswer): boolean;
}

const MODEL = 'ok+pace@1';
/** Choices of a request that becomes as many, and inputs of one that goes in two parts. */
const CHOICES = 3;
const INPUTS = ['a', 'bb', 'ccc'];
/** Requests of the cache that differ: few, so that most of their answers are hits. */
const CACHED = 2;
const TURNS = [{ role: 'user', content: 'hi' }];

/**
 * Upstreams and routes that {@link doorRequests} ask.
 *
 * @param completions base URL of a server that speaks completions
 * @param embeddings base URL of a server of embeddings
 */
export function doorUpstreams(fake: FakeUpstream, completions: string, embeddings: string): object {
  const single = { models: [{ name: MODEL, n: 1 }], params: ['stream', 'stream_options'] };
  const others = { models: [{ name: 'reverser' }], base_url: completions, speaks: ['completions'] };
  const embedder = { models: [{ name: 'embedder', kind: 'embedding', max_batch: 2 }], base_url: embeddings };
  const to = (id: string, upstream = id, model = MODEL) => routeTo(id, { upstream, model });
  return {
    upstreams: [
      { name: 'local', kind: 'embedded' },
      fakeUpstream(fake, 'chat', [MODEL]),
      fakeUpstream(fake, 'single', [], single),
      fakeUpstream(fake, 'native', [MODEL], { speaks: ['responses', 'messages'] }),
      fakeUpstream(fake, 'anthropic', [MODEL], { dialect: 'anthropic' }),
      fakeUpstream(fake, 'reverser', [], others),
      fakeUpstream(fake, 'embedder', [], embedder),
    ],
    routes: [
      ...['chat', 'single', 'native', 'anthropic'].map((id) => to(id)),
      ...['reverser', 'embedder'].map((id) => to(id, id, id)),
      to('hone-tiny', 'local', 'hone-tiny'),
      { ...to('cached', 'chat'), cache: { ttl_s: 600, max_bytes: 1_000_000 } },
    ],
  };
}

/** Every door, streamed and whole, at upstreams that speak it, at those that do not, and at the embedded engine. */
export function doorRequests(): readonly DoorRequest[] {
  const embedded = { model: 'hone-tiny', max_tokens: 4 };
  return [
    ...both(chat, { model: 'chat' }, COST_NANO_USD),
    ...both(chat, embedded, null),
    ...both(chat, { model: 'anthropic' }, COST_NANO_USD),
    ...both(chat, { model: 'single', n: CHOICES }, CHOICES * COST_NANO_USD),
    ...['chat', 'native', 'anthropic'].flatMap((model) => both(responses, { model }, COST_NANO_USD)),
    ...both(responses, { model: 'hone-tiny', max_output_tokens: 4 }, null),
    ...['chat', 'native', 'anthropic'].flatMap((model) => both(messages, { model }, COST_NANO_USD)),
    ...both(messages, embedded, null),
    // 3 tokens of a prompt and 2 of a completion.
    ...both(completions, { model: 'reverser' }, 7_000),
    ...both(completions, embedded, null),
    completions({ ...embedded, prompt: INPUTS }, null),
    // A token is a letter.
    embeddings({ model: 'embedder', input: INPUTS }, 6_000),
    ...Array.from({ length: CACHED }, (_, seed) => seed).flatMap((seed) => [
      ...both(chat, { model: 'cached', seed }, COST_NANO_USD),
      ...both(responses, { model: 'cached', temperature: seed }, COST_NANO_USD),
      ...both(messages, { model: 'cached', temperature: seed }, COST_NANO_USD),
    ]),
  ];
}

type Make = (fields: object, costNanoUsd: number | null) => DoorRequest;

const both = (make: Make, fields: object, costNanoUsd: number | null): DoorRequest[] => [
  make(fields, costNanoUsd),
  make({ ...fields, stream: true, ...(make === chat && { stream_options: {} }) }, costNanoUsd),
];

function chat(fields: object, costNanoUsd: number | null): DoorRequest {
  const body = { messages: TURNS, ...fields };
  return { path: '/v1/chat/completions', body, costNanoUsd, isWhole: (answer) => answer.isWhole };
}

function completions(fields: object, costNanoUsd: number | null): DoorRequest {
  const body = { prompt: 'hi', ...fields };
  return { path: '/v1/completions', body, costNanoUsd, isWhole: (answer) => answer.isWhole };
}

function embeddings(body: object, costNanoUsd: number | null): DoorRequest {
  const isWhole = ({ status, body: text }: GatewayAnswer) =>
    status === 200 && (JSON.parse(text) as { data: object[] }).data.length === INPUTS.length;
  return { path: '/v1/embeddings', body, costNanoUsd, isWhole };
}

function responses(fields: object, costNanoUsd: number | null): DoorRequest {
  const body = { input: 'hi', ...fields };
  const isWhole = endsAs(
    /"status":"(completed|incomplete)"/,
    /\nevent: response\.(completed|incomplete)\ndata: .*\n\n(data: \[DONE\]\n\n)?$/,
  );
  return { path: '/v1/responses', body, costNanoUsd, isWhole };
}

function messages(fields: object, costNanoUsd: number | null): DoorRequest {
  const body = { messages: TURNS, max_tokens: 100, ...fields };
  const isWhole = endsAs(/"stop_reason":"/, /\nevent: message_stop\ndata: .*\n\n$/);
  return { path: '/v1/messages', body, costNanoUsd, isWhole };
}

const endsAs =
  (whole: RegExp, end: RegExp) =>
  ({ status, body, isStream }: GatewayAnswer): boolean =>
    status === 200 && (isStream ? end : whole).test(body);
