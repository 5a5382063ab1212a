import { newId } from '@hone/database';
import {
  type AccessRow,
  ANY_SCOPED_KEY,
  byId,
  byKey,
  byProject,
  describeAuthorisation,
  type Target,
  type TestApp,
  type TestClient,
} from '@hone/testing';

import { startEvaluation } from './evaluation.fixture.js';
import { JudgedProject } from './testing/judged-project.fixture.js';

const SCORINGS = '/evaluation/scorings';
const BIAS_REPORTS = '/evaluation/bias-reports';
const MONITORS = '/evaluation/monitors';
const RUNS = '/evaluation/runs';
const GATES = '/evaluation/gates';
const PIPELINES = '/evaluation/pipelines';
const EDITS = '/evaluation/prompt-edits';
const SCORER = 'cold';
const EVALUATED = { dataset: 'rows', scorers: [SCORER], candidates: [{ model: 'small' }] };
const NOWHERE = { unknown: 404 };
const isThere = ({ kind }: Target): boolean => kind === 'own' || kind === 'foreign';

/** Two calls and a scorer in a project that is there. */
async function seed({ entity, projectId }: Target, _admin: TestClient, app: TestApp): Promise<void> {
  const known = await app.db.client.entity.findUnique({ where: { name: entity } });
  if (!known) await app.db.client.entity.create({ data: { id: newId(), name: entity, kind: 'team' } });
  const project = await JudgedProject.of(app, projectId);
  await project.addCalls({}, {});
  await project.addDataset(
    'rows',
    Array.from({ length: 8 }, (_none, at) => ({ question: `The opposite of hot? ${at}` })),
  );
  await project.addInstance('brief', 'MessagesPrompt', { messages: [{ role: 'user', content: '{{question}}' }] });
  await project.addField('quality');
  const digest = await project.addScorer(SCORER, { kind: 'check', check: { check: 'contains', value: 'cold' } });
  await project.addVerdict(`${SCORER}:${digest}`, 'call-000000', { passed: 1 });
}

/** An open scoring of its own; an id of nothing in the unknown place. */
async function scoringIn(at: Target, admin: TestClient, app: TestApp): Promise<string> {
  if (!isThere(at)) return newId();
  await app.sql(`UPDATE scorings SET status = 'done', finished_at = now()`);
  const { json } = await admin.post(SCORINGS, { project_id: at.projectId, scorer: SCORER });
  return json().id as string;
}

/** The only monitor; an id of nothing in the unknown place. */
async function monitorIn(at: Target, admin: TestClient, app: TestApp): Promise<string> {
  await app.sql('DELETE FROM monitors');
  if (!isThere(at)) return newId();
  const { json } = await admin.post(MONITORS, { project_id: at.projectId, name: 'm', scorer: SCORER });
  return json().id as string;
}

/** An open evaluation of its own; an id of nothing in the unknown place. */
async function evaluationIn(at: Target, admin: TestClient, app: TestApp): Promise<string> {
  if (!isThere(at)) return newId();
  await app.sql('DELETE FROM evaluation_jobs');
  const { json } = await admin.post(RUNS, { project_id: at.projectId, ...EVALUATED });
  return json().id as string;
}

const DECIDED = {
  metric: `scores.${SCORER}.passed`,
  calls: ['call-000000', 'call-000001'].map((id) => ({ name: id, filter: { call_ids: [id] } })),
};

/** An open gate of its own; an id of nothing in the unknown place. */
async function gateIn(at: Target, admin: TestClient, app: TestApp): Promise<string> {
  if (!isThere(at)) return newId();
  await app.sql('DELETE FROM gates');
  const { json } = await admin.post(GATES, { project_id: at.projectId, ...DECIDED });
  return json().id as string;
}

const EDITED = {
  ...{ prompt: 'brief', model: 'small', dataset: 'rows', scorers: [SCORER], metric: `scores.${SCORER}.passed` },
};

/** A running edit of a prompt of its own; an id of nothing in the unknown place. */
async function editIn(at: Target, admin: TestClient, app: TestApp): Promise<string> {
  if (!isThere(at)) return newId();
  await app.sql('DELETE FROM prompt_edits');
  const { json } = await admin.post(EDITS, { project_id: at.projectId, ...EDITED });
  return json().id as string;
}

const IMPROVED = {
  ...{ name: 'nightly', model_id: newId(), promote_to: 'production', data: { kind: 'thumbs' } },
  ...{ evaluate: { dataset: 'rows', scorers: [SCORER] }, gate: { metric: `scores.${SCORER}.passed` } },
};

/** The only pipeline; an id of nothing in the unknown place. */
async function pipelineIn(at: Target, admin: TestClient, app: TestApp): Promise<string> {
  await app.sql('TRUNCATE pipelines, pipeline_runs');
  if (!isThere(at)) return newId();
  return (await admin.post(PIPELINES, { project_id: at.projectId, ...IMPROVED })).json().id as string;
}

/** The only run; an id of nothing in the unknown place. */
async function pipelineRunIn(at: Target, admin: TestClient, app: TestApp): Promise<string> {
  const pipeline = await pipelineIn(at, admin, app);
  return isThere(at) ? ((await admin.post(`${PIPELINES}/${pipeline}/runs`, {})).json().id as string) : newId();
}

const TRIED = { model_id: newId(), evaluate: { scorers: [SCORER] } };

/** An improvement; an id of nothing in the unknown place. */
async function improvementIn(at: Target, admin: TestClient): Promise<string> {
  if (!isThere(at)) return newId();
  return (await admin.post('/evaluation/improve', { project_id: at.projectId, ...TRIED })).json().id as string;
}

/** A bias report without probes; an id of nothing in the unknown place. */
async function biasReportIn(at: Target, admin: TestClient): Promise<string> {
  if (!isThere(at)) return newId();
  const body = { project_id: at.projectId, scorer: SCORER, criterion: 'passed', probes: [] };
  return (await admin.post(BIAS_REPORTS, body)).json().id as string;
}

const rows: AccessRow<TestApp>[] = [
  {
    route: 'GET /evaluation/scorer-kinds',
    rule: byKey(ANY_SCOPED_KEY),
    request: () => ['get', '/evaluation/scorer-kinds'],
  },
  {
    route: 'GET /evaluation/scorer-library',
    rule: byKey(ANY_SCOPED_KEY),
    request: () => ['get', '/evaluation/scorer-library'],
  },
  {
    route: 'POST /evaluation/scorers/try',
    rule: byProject('writer', NOWHERE),
    request: ({ projectId }) => [
      'post',
      '/evaluation/scorers/try',
      { project_id: projectId, scorer: SCORER, call_ids: ['call-000000'] },
    ],
  },
  {
    route: 'POST /evaluation/scorers/grade',
    rule: byProject('writer', NOWHERE),
    request: ({ projectId }) => [
      'post',
      '/evaluation/scorers/grade',
      { project_id: projectId, scorers: [{ scorer: SCORER }], answers: [{ output: 'cold' }] },
    ],
  },
  {
    route: 'POST /evaluation/scorings',
    rule: byProject('writer', NOWHERE),
    request: async ({ projectId }, _admin, app) => {
      await app.sql(`UPDATE scorings SET status = 'done', finished_at = now()`);
      return ['post', SCORINGS, { project_id: projectId, scorer: SCORER }];
    },
  },
  {
    route: 'GET /evaluation/scorings',
    rule: byProject('reader', NOWHERE),
    request: ({ projectId }) => ['get', `${SCORINGS}?project_id=${encodeURIComponent(projectId)}`],
  },
  {
    route: 'GET /evaluation/scorings/:scoring_id',
    rule: byId('reader'),
    request: async (...at) => ['get', `${SCORINGS}/${await scoringIn(...at)}`],
  },
  ...['cancel', 'retry'].map((action): AccessRow<TestApp> => ({
    route: `POST /evaluation/scorings/:scoring_id/${action}`,
    rule: byId('writer'),
    request: async (...at) => ['post', `${SCORINGS}/${await scoringIn(...at)}/${action}`],
  })),
  {
    route: 'POST /evaluation/runs',
    rule: byProject('writer', NOWHERE),
    request: async ({ projectId }, _admin, app) => {
      await app.sql('DELETE FROM evaluation_jobs');
      return ['post', RUNS, { project_id: projectId, ...EVALUATED }];
    },
  },
  {
    route: 'GET /evaluation/runs',
    rule: byProject('reader', NOWHERE),
    request: ({ projectId }) => ['get', `${RUNS}?project_id=${encodeURIComponent(projectId)}`],
  },
  {
    route: 'GET /evaluation/runs/:job_id',
    rule: byId('reader'),
    request: async (...at) => ['get', `${RUNS}/${await evaluationIn(...at)}`],
  },
  ...['cancel', 'retry'].map((action): AccessRow<TestApp> => ({
    route: `POST /evaluation/runs/:job_id/${action}`,
    rule: byId('writer'),
    request: async (...at) => ['post', `${RUNS}/${await evaluationIn(...at)}/${action}`],
  })),
  {
    route: 'POST /evaluation/gates',
    rule: byProject('writer', NOWHERE),
    request: async ({ projectId }, _admin, app) => {
      await app.sql('DELETE FROM gates');
      return ['post', GATES, { project_id: projectId, ...DECIDED }];
    },
  },
  {
    route: 'GET /evaluation/gates',
    rule: byProject('reader', NOWHERE),
    request: ({ projectId }) => ['get', `${GATES}?project_id=${encodeURIComponent(projectId)}`],
  },
  {
    route: 'GET /evaluation/gates/:gate_id',
    rule: byId('reader'),
    request: async (...at) => ['get', `${GATES}/${await gateIn(...at)}`],
  },
  {
    route: 'POST /evaluation/gates/:gate_id/cancel',
    rule: byId('writer'),
    request: async (...at) => ['post', `${GATES}/${await gateIn(...at)}/cancel`],
  },
  {
    route: 'POST /evaluation/prompt-edits',
    rule: byProject('writer', NOWHERE),
    request: async ({ projectId }, _admin, app) => {
      await app.sql('DELETE FROM prompt_edits');
      return ['post', EDITS, { project_id: projectId, ...EDITED }];
    },
  },
  {
    route: 'GET /evaluation/prompt-edits',
    rule: byProject('reader', NOWHERE),
    request: ({ projectId }) => ['get', `${EDITS}?project_id=${encodeURIComponent(projectId)}`],
  },
  {
    route: 'GET /evaluation/prompt-edits/:prompt_edit_id',
    rule: byId('reader'),
    request: async (...at) => ['get', `${EDITS}/${await editIn(...at)}`],
  },
  {
    route: 'POST /evaluation/prompt-edits/:prompt_edit_id/cancel',
    rule: byId('writer'),
    request: async (...at) => ['post', `${EDITS}/${await editIn(...at)}/cancel`],
  },
  {
    route: 'POST /evaluation/pipelines',
    rule: byProject('owner', NOWHERE),
    request: async ({ projectId }, _admin, app) => {
      await app.sql('TRUNCATE pipelines, pipeline_runs');
      return ['post', PIPELINES, { project_id: projectId, ...IMPROVED }];
    },
  },
  {
    route: 'GET /evaluation/pipelines',
    rule: byProject('reader', NOWHERE),
    request: ({ projectId }) => ['get', `${PIPELINES}?project_id=${encodeURIComponent(projectId)}`],
  },
  {
    route: 'GET /evaluation/pipelines/:pipeline_id',
    rule: byId('reader'),
    request: async (...at) => ['get', `${PIPELINES}/${await pipelineIn(...at)}`],
  },
  {
    route: 'PUT /evaluation/pipelines/:pipeline_id',
    rule: byId('owner'),
    request: async (...at) => ['put', `${PIPELINES}/${await pipelineIn(...at)}`, { paused: true }],
  },
  {
    route: 'DELETE /evaluation/pipelines/:pipeline_id',
    rule: byId('owner'),
    request: async (...at) => ['delete', `${PIPELINES}/${await pipelineIn(...at)}`],
  },
  {
    route: 'POST /evaluation/pipelines/:pipeline_id/runs',
    rule: byId('owner'),
    request: async (...at) => ['post', `${PIPELINES}/${await pipelineIn(...at)}/runs`],
  },
  {
    route: 'GET /evaluation/pipelines/:pipeline_id/runs',
    rule: byId('reader'),
    request: async (...at) => ['get', `${PIPELINES}/${await pipelineIn(...at)}/runs`],
  },
  {
    route: 'GET /evaluation/pipeline-runs/:run_id',
    rule: byId('reader'),
    request: async (...at) => ['get', `/evaluation/pipeline-runs/${await pipelineRunIn(...at)}`],
  },
  {
    route: 'POST /evaluation/pipeline-runs/:run_id/cancel',
    rule: byId('owner'),
    request: async (...at) => ['post', `/evaluation/pipeline-runs/${await pipelineRunIn(...at)}/cancel`],
  },
  {
    route: 'POST /evaluation/improve',
    rule: byProject('owner', NOWHERE),
    request: async ({ projectId }, _admin, app) => {
      await app.sql('TRUNCATE improvements');
      return ['post', '/evaluation/improve', { project_id: projectId, ...TRIED }];
    },
  },
  {
    route: 'GET /evaluation/improvements',
    rule: byProject('reader', NOWHERE),
    request: ({ projectId }) => ['get', `/evaluation/improvements?project_id=${encodeURIComponent(projectId)}`],
  },
  {
    route: 'GET /evaluation/improvements/:improvement_id',
    rule: byId('reader'),
    request: async (at, admin) => ['get', `/evaluation/improvements/${await improvementIn(at, admin)}`],
  },
  {
    route: 'POST /evaluation/improvements/:improvement_id/cancel',
    rule: byId('owner'),
    request: async (at, admin) => ['post', `/evaluation/improvements/${await improvementIn(at, admin)}/cancel`],
  },
  {
    route: 'POST /evaluation/monitors',
    rule: byProject('owner', NOWHERE),
    request: async ({ projectId }, _admin, app) => {
      await app.sql('DELETE FROM monitors');
      return ['post', MONITORS, { project_id: projectId, name: 'm', scorer: SCORER }];
    },
  },
  {
    route: 'GET /evaluation/monitors',
    rule: byProject('reader', NOWHERE),
    request: ({ projectId }) => ['get', `${MONITORS}?project_id=${encodeURIComponent(projectId)}`],
  },
  {
    route: 'GET /evaluation/monitors/:monitor_id',
    rule: byId('reader'),
    request: async (...at) => ['get', `${MONITORS}/${await monitorIn(...at)}`],
  },
  {
    route: 'PUT /evaluation/monitors/:monitor_id',
    rule: byId('owner'),
    request: async (...at) => ['put', `${MONITORS}/${await monitorIn(...at)}`, {}],
  },
  {
    route: 'DELETE /evaluation/monitors/:monitor_id',
    rule: byId('owner'),
    request: async (...at) => ['delete', `${MONITORS}/${await monitorIn(...at)}`],
  },
  {
    route: 'POST /evaluation/reports',
    rule: byProject('reader', NOWHERE),
    request: ({ projectId }) => [
      'post',
      '/evaluation/reports',
      { project_id: projectId, scorer: SCORER, criterion: 'passed' },
    ],
  },
  {
    route: 'POST /evaluation/compare',
    rule: byProject('reader', NOWHERE),
    request: ({ projectId }) => [
      'post',
      '/evaluation/compare',
      { project_id: projectId, runs: ['call-000000', 'call-000001'] },
    ],
  },
  {
    route: 'POST /evaluation/label-plans',
    rule: byProject('reader', NOWHERE),
    request: ({ projectId }) => [
      'post',
      '/evaluation/label-plans',
      { project_id: projectId, scorer: SCORER, criterion: 'passed', width: 0.1 },
    ],
  },
  {
    route: 'POST /evaluation/label-queues',
    rule: byProject('writer', NOWHERE),
    request: ({ projectId }) => {
      const truth = { feedback_type: 'hone.annotation.quality' };
      return [
        'post',
        '/evaluation/label-queues',
        { project_id: projectId, scorer: SCORER, criterion: 'passed', truth, size: 1 },
      ];
    },
  },
  {
    route: 'POST /evaluation/bias-reports',
    rule: byProject('writer', NOWHERE),
    request: ({ projectId }) => [
      'post',
      BIAS_REPORTS,
      { project_id: projectId, scorer: SCORER, criterion: 'passed', probes: [] },
    ],
  },
  {
    route: 'GET /evaluation/bias-reports/:bias_report_id',
    rule: byId('reader'),
    request: async (at, admin) => ['get', `${BIAS_REPORTS}/${await biasReportIn(at, admin)}`],
  },
];

describeAuthorisation({ scope: 'trace', scheme: 'bearer', start: startEvaluation, seed, rows });
