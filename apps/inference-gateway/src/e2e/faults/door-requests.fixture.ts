import { aFile, multipart } from '@hone/testing';
import type { FakeUpstream } from '@hone/testing/fakes';

import { PNG, WAV } from '../media/media-server.fixture.js';
import { COST_NANO_USD, fakeUpstream, routeTo } from './fake-upstreams.fixture.js';
import type { GatewayAnswer } from './gateway-answer.fixture.js';

/** A request through one of the doors. */
export interface DoorRequest {
  readonly path: string;
  /** JSON, or the bytes of a form. */
  readonly body: string | Buffer;
  /** Beside those of every request. Absent: none. */
  readonly headers?: Record<string, string>;
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
 * @param media base URL of a server of images and audio
 */
export function doorUpstreams(fake: FakeUpstream, completions: string, embeddings: string, media: string): object {
  const single = { models: [{ name: MODEL, n: 1 }], params: ['stream', 'stream_options'] };
  const others = { models: [{ name: 'reverser' }], base_url: completions, speaks: ['completions'] };
  const embedder = { models: [{ name: 'embedder', kind: 'embedding', max_batch: 2 }], base_url: embeddings };
  const makers = Object.entries(MEDIA).map(([name, { kind }]) => ({ name, kind }));
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
      fakeUpstream(fake, 'media', [], { models: makers, base_url: media }),
    ],
    routes: [
      ...['chat', 'single', 'native', 'anthropic'].map((id) => to(id)),
      ...['reverser', 'embedder'].map((id) => to(id, id, id)),
      ...Object.entries(MEDIA).map(([id, { price }]) => ({ ...to(id, 'media', id), price })),
      to('hone-tiny', 'local', 'hone-tiny'),
      { ...to('cached', 'chat'), cache: { ttl_s: 600, max_bytes: 1_000_000 } },
    ],
  };
}

/** Models of images and audio, with prices of their own. */
const MEDIA = {
  painter: { kind: 'image', price: { prompt: 5, completion: 40, image: 0.04 } },
  speaker: { kind: 'speech', price: { characters: 15 } },
  listener: { kind: 'transcription', price: { minute: 0.006 } },
};

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
    ...media(),
    ...Array.from({ length: CACHED }, (_, seed) => seed).flatMap((seed) => [
      ...both(chat, { model: 'cached', seed }, COST_NANO_USD),
      ...both(responses, { model: 'cached', temperature: seed }, COST_NANO_USD),
      ...both(messages, { model: 'cached', temperature: seed }, COST_NANO_USD),
    ]),
  ];
}

/** Pictures of 11 and 22 tokens and 4 cents each, six spoken characters, three seconds that are written down. */
function media(): DoorRequest[] {
  const wholeAs = (part: string) => (answer: GatewayAnswer) => answer.status === 200 && answer.body.includes(part);
  const part = (name: string, content: string) => ({ name, content });
  const form = (path: string, costNanoUsd: number, whole: string, ...parts: Parameters<typeof multipart>) => {
    const { body, options } = multipart(...parts);
    return { path, body, headers: options.headers, costNanoUsd, isWhole: wholeAs(whole) };
  };
  const painted = 11 * 5_000 + 22 * 40_000 + 40_000_000;
  const picture = { ...aFile('a.png', PNG), name: 'image' };
  const listen = [part('model', 'listener'), aFile('a.wav', WAV)];
  return [
    jsonRequest('/v1/images/generations', { model: 'painter', prompt: 'a' }, painted, wholeAs('b64_json')),
    form('/v1/images/edits', painted, 'b64_json', part('model', 'painter'), part('prompt', 'a'), picture),
    jsonRequest('/v1/audio/speech', { model: 'speaker', input: 'Hello.' }, 6 * 15_000, wholeAs('RIFF')),
    form('/v1/audio/transcriptions', 300_000, 'heard', ...listen),
    form('/v1/audio/translations', 300_000, 'heard', ...listen),
  ];
}

type Make = (fields: object, costNanoUsd: number | null) => DoorRequest;

const jsonRequest = (
  path: string,
  body: object,
  costNanoUsd: number | null,
  isWhole: DoorRequest['isWhole'],
): DoorRequest => ({ path, body: JSON.stringify(body), costNanoUsd, isWhole });

const both = (make: Make, fields: object, costNanoUsd: number | null): DoorRequest[] => [
  make(fields, costNanoUsd),
  make({ ...fields, stream: true, ...(make === chat && { stream_options: {} }) }, costNanoUsd),
];

function chat(fields: object, costNanoUsd: number | null): DoorRequest {
  const body = { messages: TURNS, ...fields };
  return jsonRequest('/v1/chat/completions', body, costNanoUsd, (answer) => answer.isWhole);
}

function completions(fields: object, costNanoUsd: number | null): DoorRequest {
  return jsonRequest('/v1/completions', { prompt: 'hi', ...fields }, costNanoUsd, (answer) => answer.isWhole);
}

function embeddings(body: object, costNanoUsd: number | null): DoorRequest {
  const isWhole = ({ status, body: text }: GatewayAnswer) =>
    status === 200 && (JSON.parse(text) as { data: object[] }).data.length === INPUTS.length;
  return jsonRequest('/v1/embeddings', body, costNanoUsd, isWhole);
}

function responses(fields: object, costNanoUsd: number | null): DoorRequest {
  const isWhole = endsAs(
    /"status":"(completed|incomplete)"/,
    /\nevent: response\.(completed|incomplete)\ndata: .*\n\n(data: \[DONE\]\n\n)?$/,
  );
  return jsonRequest('/v1/responses', { input: 'hi', ...fields }, costNanoUsd, isWhole);
}

function messages(fields: object, costNanoUsd: number | null): DoorRequest {
  const body = { messages: TURNS, max_tokens: 100, ...fields };
  const isWhole = endsAs(/"stop_reason":"/, /\nevent: message_stop\ndata: .*\n\n$/);
  return jsonRequest('/v1/messages', body, costNanoUsd, isWhole);
}

const endsAs =
  (whole: RegExp, end: RegExp) =>
  ({ status, body, isStream }: GatewayAnswer): boolean =>
    status === 200 && (isStream ? end : whole).test(body);
