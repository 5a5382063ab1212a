import {
  type AccessRow,
  type AccessRule,
  aFile,
  ANY_SCOPED_KEY,
  byKey,
  byProject,
  describeAuthorisation,
  multipart,
  OTHERS_KEY,
  type Target,
  userOf,
} from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';

import { EmbeddingServer } from './embedding-server.fixture.js';
import { type GatewayApp, startGatewayApp } from './gateway-app.fixture.js';
import { MediaServer } from './media/media-server.fixture.js';
import { CHAT, TrainedWorld } from './trained/trained-world.fixture.js';

const MODELS = '/v1/models';
const MESSAGE = { model: 'chat', max_tokens: 5, messages: [{ role: 'user', content: 'Say something.' }] };
const ASKED = { model: 'chat', messages: [{ role: 'user', content: 'Say something.' }] };

const RESPONSE = { model: 'chat', input: 'Say something.' };
const COMPLETION = { model: 'hone-tiny', prompt: 'Say', max_tokens: 1 };
const EMBEDDING = { model: 'embedder', input: 'Say something.' };
const MEDIA = [
  { name: 'painter', kind: 'image' },
  { name: 'speaker', kind: 'speech' },
  { name: 'listener', kind: 'transcription' },
];

/** The header names the billed project: it must exist, and the caller must be a writer. */
const PAYS = byProject('writer', { unknown: 403 });

/** The same, of a response that no project has. */
const STORED = { ...PAYS, statusOf: (...who: Parameters<typeof PAYS.statusOf>) => notFound(PAYS.statusOf(...who)) };
const notFound = (status: number) => (status === 200 ? 404 : status);
const RESPONSE_PATH = '/v1/responses/nobody';

/** Without the header the key's own project is billed: the one that it is bound to, else one of its user. */
const PAYS_OWN: AccessRule = {
  ...byKey(ANY_SCOPED_KEY),
  statusOf: (actor, kind) => (userOf(actor).isBound ? PAYS : byKey(ANY_SCOPED_KEY)).statusOf(actor, kind),
};

/** A model that the caller may not read is reported like a missing one. */
const TRAINED: AccessRule = {
  targets: ['own', 'unknown', 'foreign', 'foreign unknown', 'nowhere'],
  namesEntity: true,
  statusOf(actor, place) {
    if (actor === 'nobody') return 401;
    if (actor === 'unscoped') return 403;
    const mayAsMember = place === 'own' && userOf(actor).user !== 'outsider' && actor !== 'bound';
    return mayAsMember || (actor === 'admin' && place === 'foreign') ? 200 : 404;
  },
};

const LIMITS = '/v1/usage/limits';
const NO_KEY = '01900000-0000-7000-8000-000000000000';
let made = 0;

const payer = ({ projectId }: Target) => ({ 'hone-project': projectId });

const rows: AccessRow<GatewayApp>[] = [
  { route: `POST ${CHAT}`, rule: PAYS, request: (at) => ['post', CHAT, ASKED, payer(at)] },
  {
    route: `POST ${CHAT}`,
    about: 'the project of the key',
    rule: PAYS_OWN,
    request: () => ['post', CHAT, ASKED],
  },
  { route: 'POST /v1/responses', rule: PAYS, request: (at) => ['post', '/v1/responses', RESPONSE, payer(at)] },
  { route: 'GET /v1/responses/:id', rule: STORED, request: (at) => ['get', RESPONSE_PATH, undefined, payer(at)] },
  { route: 'DELETE /v1/responses/:id', rule: STORED, request: (at) => ['delete', RESPONSE_PATH, undefined, payer(at)] },
  {
    route: 'GET /v1/responses/:id/input_items',
    rule: STORED,
    request: (at) => ['get', `${RESPONSE_PATH}/input_items`, undefined, payer(at)],
  },
  { route: 'POST /v1/completions', rule: PAYS, request: (at) => ['post', '/v1/completions', COMPLETION, payer(at)] },
  { route: 'POST /v1/embeddings', rule: PAYS, request: (at) => ['post', '/v1/embeddings', EMBEDDING, payer(at)] },
  {
    route: 'POST /v1/images/generations',
    rule: PAYS,
    request: (at) => ['post', '/v1/images/generations', { model: 'painter', prompt: 'a' }, payer(at)],
  },
  {
    route: 'POST /v1/audio/speech',
    rule: PAYS,
    request: (at) => ['post', '/v1/audio/speech', { model: 'speaker', input: 'a' }, payer(at)],
  },
  ...[
    { path: '/v1/images/edits', model: 'painter', file: 'image' },
    { path: '/v1/audio/transcriptions', model: 'listener', file: 'file' },
    { path: '/v1/audio/translations', model: 'listener', file: 'file' },
  ].map(({ path, model, file }): AccessRow<GatewayApp> => {
    const texts = [
      { name: 'model', content: model },
      { name: 'prompt', content: 'a' },
    ];
    const { body, options } = multipart(...texts, { ...aFile('a'), name: file });
    return {
      route: `POST ${path}`,
      rule: PAYS,
      request: (at) => ['post', path, body, { ...options.headers, ...payer(at) }],
    };
  }),
  ...['/v1/messages', '/v1/messages/count_tokens'].flatMap((path): AccessRow<GatewayApp>[] => [
    { route: `POST ${path}`, rule: PAYS, request: (at) => ['post', path, MESSAGE, payer(at)] },
    { route: `POST ${path}`, about: 'the project of the key', rule: PAYS_OWN, request: () => ['post', path, MESSAGE] },
  ]),
  { route: `GET ${MODELS}`, rule: PAYS, request: (at) => ['get', MODELS, undefined, payer(at)] },
  { route: `GET ${MODELS}`, about: 'of all', rule: byKey(ANY_SCOPED_KEY), request: () => ['get', MODELS] },
  {
    route: `GET ${MODELS}/*`,
    rule: TRAINED,
    request: ({ projectId }) => ['get', `${MODELS}/${encodeURIComponent(`hone-artifact:///${projectId}/agent`)}`],
  },
  { route: 'GET /v1/gateway', rule: byKey(ANY_SCOPED_KEY), request: () => ['get', '/v1/gateway'] },
  {
    route: 'GET /v1/usage',
    rule: byProject('reader', { unknown: 404 }),
    request: ({ projectId }) => ['get', `/v1/usage?project=${projectId}`],
  },
  {
    route: `GET ${LIMITS}`,
    rule: byProject('reader', { unknown: 404 }),
    request: ({ projectId }) => ['get', `${LIMITS}?project=${projectId}`],
  },
  {
    route: `GET ${LIMITS}`,
    about: 'of a key',
    rule: OTHERS_KEY,
    request: async ({ kind, entity }, _admin, app) => {
      const id =
        kind === 'unknown' ? NO_KEY : (await app.user(`made-${++made}`, { roles: { [entity]: 'writer' } })).keyId;
      return ['get', `${LIMITS}?key=${id}`];
    },
  },
  {
    route: `PUT ${LIMITS}`,
    rule: byKey([]),
    request: ({ projectId }) => ['put', `${LIMITS}?project=${projectId}`, {}],
  },
];

/** A gateway with an upstream that chats, one that embeds, and one of images and audio. */
async function start(): Promise<GatewayApp> {
  const fake = await FakeUpstream.start();
  const upstream = { name: 'main', kind: 'openai-compatible', base_url: fake.baseUrl, models: [{ name: 'ok' }] };
  const routes = [{ id: 'chat', targets: [{ upstream: 'main', model: 'ok' }] }];
  const embeddings = new EmbeddingServer();
  const embeds = { ...upstream, name: 'embeds', base_url: await embeddings.start() };
  const models = [{ name: 'embedder', kind: 'embedding' }];
  routes.push({ id: 'embedder', targets: [{ upstream: 'embeds', model: 'embedder' }] });
  const server = new MediaServer();
  const media = { ...upstream, name: 'media', base_url: await server.start(), models: MEDIA };
  routes.push(...MEDIA.map(({ name }) => ({ id: name, targets: [{ upstream: 'media', model: name }] })));
  const gateway = await startGatewayApp({ upstreams: [upstream, { ...embeds, models }, media], routes });
  return {
    ...gateway,
    close: async () => {
      await gateway.close();
      await Promise.all([fake.stop(), embeddings.stop(), server.stop()]);
    },
  };
}

describeAuthorisation({
  scope: 'inference',
  scheme: 'bearer',
  start,
  seed: ({ entity, project }, _admin, gateway) => {
    const world = new TrainedWorld(gateway, process.env.HONE_DATA_DIR as string);
    return world.createModel({ name: 'agent', entity, project });
  },
  rows,
});
