import {
  type AccessRow,
  type AccessRule,
  ANY_SCOPED_KEY,
  byKey,
  byProject,
  describeAuthorisation,
  OTHERS_KEY,
  type Target,
  userOf,
} from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';

import { EmbeddingServer } from './embedding-server.fixture.js';
import { type GatewayApp, startGatewayApp } from './gateway-app.fixture.js';
import { CHAT, TrainedWorld } from './trained/trained-world.fixture.js';

const MODELS = '/v1/models';
const MESSAGE = { model: 'chat', max_tokens: 5, messages: [{ role: 'user', content: 'Say something.' }] };
const ASKED = { model: 'chat', messages: [{ role: 'user', content: 'Say something.' }] };

const RESPONSE = { model: 'chat', input: 'Say something.' };
const COMPLETION = { model: 'hone-tiny', prompt: 'Say', max_tokens: 1 };
const EMBEDDING = { model: 'embedder', input: 'Say something.' };

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

/** A gateway with an upstream that chats and one that embeds. */
async function start(): Promise<GatewayApp> {
  const fake = await FakeUpstream.start();
  const upstream = { name: 'main', kind: 'openai-compatible', base_url: fake.baseUrl, models: [{ name: 'ok' }] };
  const routes = [{ id: 'chat', targets: [{ upstream: 'main', model: 'ok' }] }];
  const embeddings = new EmbeddingServer();
  const embeds = { ...upstream, name: 'embeds', base_url: await embeddings.start() };
  const models = [{ name: 'embedder', kind: 'embedding' }];
  routes.push({ id: 'embedder', targets: [{ upstream: 'embeds', model: 'embedder' }] });
  const gateway = await startGatewayApp({ upstreams: [upstream, { ...embeds, models }], routes });
  return {
    ...gateway,
    close: async () => {
      await gateway.close();
      await Promise.all([fake.stop(), embeddings.stop()]);
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
