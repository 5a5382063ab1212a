import { newId } from '@hone/database';
import {
  type AccessRow,
  type AccessRule,
  ANY_KEY,
  ANY_SCOPED_KEY,
  byId,
  byKey,
  byProject,
  describeAuthorisation,
  type Target,
  type TestClient,
} from '@hone/testing';

import { anAdapter, archiveOf, filesOf } from './adapters/adapter-archive.fixture.js';
import { addCheckpoints, addJob, aModel, createModel, MODELS } from './models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from './training-app.fixture.js';

const ARTIFACTS = '/v1/preview/artifacts';
const JOBS = '/v1/preview/training-jobs';
const SFT_JOBS = '/v1/preview/sft-training-jobs';
const PREFERENCE_JOBS = '/v1/preview/preference-training-jobs';
const LINES = { 'content-type': 'application/jsonl' };
const GZIP = { 'content-type': 'application/gzip' };
const ADAPTER = archiveOf(filesOf(anAdapter({ rank: 1, targets: ['v_proj'] })));
const SPLIT = { arms: [{ name: 'candidate', model: 'hone-tiny', weight: 0.1 }] };
const GROUPS = [{ trajectories: [{ reward: 1 }] }];

const READ = byId('reader');
const WRITE = byId('writer');
const LIST = byKey(ANY_SCOPED_KEY);
const BY_NAME = byProject('reader');
/** A list of one entity: a key that is bound to a project of it sees that one. */
const LIST_OF_ENTITY: AccessRule = {
  ...BY_NAME,
  targets: ['own', 'foreign', 'nowhere'],
  statusOf: (actor, place) => (actor === 'bound' && place === 'own' ? 200 : BY_NAME.statusOf(actor, place)),
};
const READ_FILE = byProject('reader', { unknown: 404 });
const WRITE_FILE = byProject('writer', { unknown: 404 });

const isThere = ({ kind }: Target): boolean => kind === 'own' || kind === 'foreign';

/** A model of its own; an id of nothing in the unknown place. */
const modelIn = async (at: Target, admin: TestClient): Promise<string> =>
  isThere(at) ? createModel(admin, { entity: at.entity, project: at.project }) : newId();

const jobIn = async (at: Target, admin: TestClient, app: TrainingApp): Promise<string> => {
  const modelId = await modelIn(at, admin);
  return isThere(at) ? addJob(app, modelId) : newId();
};

const ofModel = (path: string): AccessRow<TrainingApp>['request'] => {
  return async (at, admin) => ['get', `${MODELS}/${await modelIn(at, admin)}${path}`];
};

const models: AccessRow<TrainingApp>[] = [
  {
    route: 'POST /v1/preview/models',
    rule: byProject('writer'),
    request: ({ entity, project }) => ['post', MODELS, aModel({ entity, project, name: `m-${newId()}` })],
  },
  { route: 'GET /v1/preview/models', rule: LIST, request: () => ['get', `${MODELS}?limit=100`] },
  {
    route: 'GET /v1/preview/models',
    about: 'of an entity',
    rule: LIST_OF_ENTITY,
    request: ({ entity }) => ['get', `${MODELS}?entity=${entity}`],
  },
  { route: 'GET /v1/preview/models/:model_id', rule: READ, request: ofModel('') },
  {
    route: 'DELETE /v1/preview/models/:model_id',
    rule: WRITE,
    request: async (at, admin) => ['delete', `${MODELS}/${await modelIn(at, admin)}`],
  },
  { route: 'GET /v1/preview/models/:model_id/checkpoints', rule: READ, request: ofModel('/checkpoints') },
  {
    route: 'DELETE /v1/preview/models/:model_id/checkpoints',
    rule: WRITE,
    request: async (at, admin) => ['delete', `${MODELS}/${await modelIn(at, admin)}/checkpoints`, { steps: [1] }],
  },
  {
    route: 'GET /v1/preview/models/:model_id/checkpoints/:step',
    rule: byId('reader', 404),
    request: ofModel('/checkpoints/7'),
  },
  {
    route: 'GET /v1/preview/models/:model_id/checkpoints/:step/files/:path',
    rule: byId('reader', 404),
    request: ofModel('/checkpoints/7/files/manifest.json'),
  },
  {
    route: 'POST /v1/preview/models/:model_id/checkpoints/import',
    rule: WRITE,
    request: async (at, admin) => ['post', `${MODELS}/${await modelIn(at, admin)}/checkpoints/import`, ADAPTER, GZIP],
  },
  {
    route: 'GET /v1/preview/models/:model_id/checkpoints/:step/download',
    rule: byId('reader', 404),
    request: ofModel('/checkpoints/7/download'),
  },
  { route: 'GET /v1/preview/models/:model_id/aliases', rule: READ, request: ofModel('/aliases') },
  {
    route: 'PUT /v1/preview/models/:model_id/aliases/:alias',
    rule: WRITE,
    request: async (at, admin) => ['put', `${MODELS}/${await modelIn(at, admin)}/aliases/production`, { step: 0 }],
  },
  {
    route: 'DELETE /v1/preview/models/:model_id/aliases/:alias',
    rule: byId('writer', 404),
    request: async (at, admin) => ['delete', `${MODELS}/${await modelIn(at, admin)}/aliases/production`],
  },
  {
    route: 'GET /v1/preview/models/:model_id/aliases/:alias/split',
    rule: byId('reader', 404),
    request: ofModel('/aliases/production/split'),
  },
  {
    route: 'PUT /v1/preview/models/:model_id/aliases/:alias/split',
    rule: byId('writer', 404),
    request: async (at, admin) => ['put', `${MODELS}/${await modelIn(at, admin)}/aliases/production/split`, SPLIT],
  },
  {
    route: 'DELETE /v1/preview/models/:model_id/aliases/:alias/split',
    rule: byId('writer', 404),
    request: async (at, admin) => ['delete', `${MODELS}/${await modelIn(at, admin)}/aliases/production/split`],
  },
  {
    route: 'POST /v1/preview/models/:model_id/log',
    rule: WRITE,
    request: async (at, admin) => {
      return ['post', `${MODELS}/${await modelIn(at, admin)}/log`, { split: 'val', trajectory_groups: GROUPS }];
    },
  },
  { route: 'GET /v1/preview/models/:model_id/trajectories', rule: READ, request: ofModel('/trajectories') },
];

const artifacts: AccessRow<TrainingApp>[] = [
  {
    route: 'POST /v1/preview/artifacts/:entity/:project/:name',
    rule: byProject('writer'),
    request: ({ projectId }) => ['post', `${ARTIFACTS}/${projectId}/mine`, 'x', LINES],
  },
  { route: 'GET /v1/preview/artifacts', rule: LIST, request: () => ['get', `${ARTIFACTS}?limit=100`] },
  {
    route: 'GET /v1/preview/artifacts',
    about: 'of an entity',
    rule: LIST_OF_ENTITY,
    request: ({ entity }) => ['get', `${ARTIFACTS}?entity=${entity}`],
  },
  {
    route: 'GET /v1/preview/artifacts/:entity/:project/:name/:version/files/:path',
    rule: READ_FILE,
    request: ({ projectId }) => ['get', `${ARTIFACTS}/${projectId}/data/v0/files/train.jsonl`],
  },
  {
    route: 'DELETE /v1/preview/artifacts/:entity/:project/:name/:version',
    rule: WRITE_FILE,
    request: async (at, admin) => {
      const path = `${ARTIFACTS}/${at.projectId}/a-${newId()}`;
      if (isThere(at)) await admin.post(path, 'x', { headers: LINES });
      return ['delete', `${path}/v0`];
    },
  },
];

const jobs: AccessRow<TrainingApp>[] = [
  ...([JOBS, `${JOBS}/diagnose`] as const).map((path): AccessRow<TrainingApp> => ({
    route: `POST ${path}`,
    rule: WRITE,
    request: async (at, admin) => ['post', path, { model_id: await modelIn(at, admin), trajectory_groups: GROUPS }],
  })),
  ...[SFT_JOBS, PREFERENCE_JOBS]
    .flatMap((path) => [path, `${path}/diagnose`])
    .flatMap((path): AccessRow<TrainingApp>[] => [
      {
        route: `POST ${path}`,
        rule: WRITE,
        request: async (at, admin) => {
          return ['post', path, { model_id: await modelIn(at, admin), training_data_url: 'data:,%7B%7D' }];
        },
      },
      {
        route: `POST ${path}`,
        about: 'with data of a project',
        rule: WRITE_FILE,
        request: async ({ projectId }, admin) => {
          const model_id = await createModel(admin, { entity: 'acme', project: 'demo' });
          return ['post', path, { model_id, training_data_url: `hone-artifact:///${projectId}/data:v0` }];
        },
      },
    ]),
  { route: 'GET /v1/preview/training-jobs', rule: LIST, request: () => ['get', `${JOBS}?limit=100`] },
  {
    route: 'GET /v1/preview/training-jobs',
    about: 'of an entity',
    rule: LIST_OF_ENTITY,
    request: ({ entity }) => ['get', `${JOBS}?entity=${entity}`],
  },
  {
    route: 'GET /v1/preview/training-jobs/:training_job_id',
    rule: READ,
    request: async (at, admin, app) => ['get', `${JOBS}/${await jobIn(at, admin, app)}`],
  },
  {
    route: 'GET /v1/preview/training-jobs/:training_job_id/events',
    rule: READ,
    request: async (at, admin, app) => ['get', `${JOBS}/${await jobIn(at, admin, app)}/events`],
  },
  ...['', '/:group/:index'].map((position): AccessRow<TrainingApp> => ({
    route: `GET /v1/preview/training-jobs/:training_job_id/rollouts${position}`,
    rule: READ,
    request: async (at, admin) => {
      const body = { model_id: await modelIn(at, admin), trajectory_groups: GROUPS };
      const id = isThere(at) ? (await admin.post(JOBS, body)).json().id : newId();
      return ['get', `${JOBS}/${id}/rollouts${position && '/0/0'}`];
    },
  })),
  {
    route: 'POST /v1/preview/training-jobs/:training_job_id/cancel',
    rule: WRITE,
    request: async (at, admin, app) => ['post', `${JOBS}/${await jobIn(at, admin, app)}/cancel`],
  },
];

const trainingData: AccessRow<TrainingApp>[] = [
  {
    route: 'POST /v1/preview/training-data/from-calls',
    rule: byProject('writer'),
    request: ({ entity, project }) => {
      const body = { entity, project, name: 'd', kind: 'sft', source: {}, dry_run: true };
      return ['post', '/v1/preview/training-data/from-calls', body];
    },
  },
];

const lineage: AccessRow<TrainingApp>[] = [
  { route: 'GET /v1/preview/training-data', rule: LIST, request: () => ['get', '/v1/preview/training-data?limit=100'] },
  {
    route: 'GET /v1/preview/training-data',
    about: 'of an entity',
    rule: LIST_OF_ENTITY,
    request: ({ entity }) => ['get', `/v1/preview/training-data?entity=${entity}`],
  },
  {
    route: 'GET /v1/preview/checkpoints/:checkpoint_id/lineage',
    rule: READ,
    request: async (at, admin, app) => {
      const [id] = isThere(at) ? await addCheckpoints(app, await modelIn(at, admin), [1]) : [newId()];
      return ['get', `/v1/preview/checkpoints/${id}/lineage`];
    },
  },
];

const system: AccessRow<TrainingApp>[] = [
  { route: 'GET /v1/health', rule: byKey(ANY_KEY), request: () => ['get', '/v1/health'] },
  {
    route: 'GET /v1/system-check',
    // There is no worker here, and the answer says so.
    rule: { ...byKey(ANY_KEY), statusOf: (actor) => (actor === 'nobody' ? 401 : 503) },
    request: () => ['get', '/v1/system-check'],
  },
];

describeAuthorisation({
  scope: 'training',
  scheme: 'bearer',
  start: () => startTrainingApp(),
  seed: async ({ projectId }, admin) => {
    await admin.post(`${ARTIFACTS}/${projectId}/data`, '{}\n', { headers: LINES });
  },
  rows: [...models, ...artifacts, ...jobs, ...trainingData, ...lineage, ...system],
});
