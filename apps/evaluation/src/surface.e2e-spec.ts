import { openApiDocument } from '@hone/platform';
import { basic, takenControlCharacters, type TestApp, walkRoutes } from '@hone/testing';

import { startEvaluation } from './evaluation.fixture.js';

describe('the surface of the evaluation service', () => {
  let evaluation: TestApp;
  beforeAll(async () => {
    evaluation = await startEvaluation();
  });
  afterAll(() => evaluation.close());

  it('guards every route and declares its status', () => {
    const routes = walkRoutes(evaluation.app);
    expect(routes.map(({ name }) => name)).toContain('ScorerKindsController.list');
    for (const route of routes.filter(({ isOpen }) => !isOpen)) {
      expect(route).toMatchObject({ guards: ['AnyAuthGuard'], statuses: [200] });
      expect(route.path).toMatch(/^evaluation\//);
    }
    const open = routes.filter(({ isOpen }) => isOpen).map(({ name }) => name);
    expect(open.sort()).toEqual(['ProbesController.health', 'ProbesController.metrics', 'ProbesController.ready']);
  });

  it('documents every route with its answer and both kinds of credentials', async () => {
    const options = { name: 'evaluation', description: 'Test.', config: {} as never };
    const { paths, components } = await openApiDocument(evaluation.app, options);
    expect(Object.keys(paths).sort()).toEqual([
      '/evaluation/bias-reports',
      '/evaluation/bias-reports/{bias_report_id}',
      '/evaluation/compare',
      '/evaluation/gates',
      '/evaluation/gates/{gate_id}',
      '/evaluation/gates/{gate_id}/cancel',
      '/evaluation/improve',
      '/evaluation/improvements',
      '/evaluation/improvements/{improvement_id}',
      '/evaluation/improvements/{improvement_id}/cancel',
      '/evaluation/label-plans',
      '/evaluation/label-queues',
      '/evaluation/monitors',
      '/evaluation/monitors/{monitor_id}',
      '/evaluation/pipeline-runs/{run_id}',
      '/evaluation/pipeline-runs/{run_id}/cancel',
      '/evaluation/pipelines',
      '/evaluation/pipelines/{pipeline_id}',
      '/evaluation/pipelines/{pipeline_id}/runs',
      '/evaluation/prompt-edits',
      '/evaluation/prompt-edits/{prompt_edit_id}',
      '/evaluation/prompt-edits/{prompt_edit_id}/cancel',
      '/evaluation/reports',
      '/evaluation/runs',
      '/evaluation/runs/{job_id}',
      '/evaluation/runs/{job_id}/cancel',
      '/evaluation/runs/{job_id}/retry',
      '/evaluation/scorer-kinds',
      '/evaluation/scorer-library',
      '/evaluation/scorers/grade',
      '/evaluation/scorers/try',
      '/evaluation/scorings',
      '/evaluation/scorings/{scoring_id}',
      '/evaluation/scorings/{scoring_id}/cancel',
      '/evaluation/scorings/{scoring_id}/retry',
    ]);
    for (const operation of Object.values(paths).flatMap((item) => Object.values(item) as object[])) {
      expect(operation).toMatchObject({ security: expect.arrayContaining([{ basic: [] }, { bearer: [] }]) });
      expect(operation).toHaveProperty(['responses', '200']);
    }
    for (const [, name] of JSON.stringify(paths).matchAll(/#\/components\/schemas\/(\w+)/g))
      expect(Object.keys(components?.schemas ?? {})).toContain(name);
    expect(components?.schemas?.['ScorerKindDto']).toMatchObject({
      required: ['kind', 'description'],
      properties: { kind: { enum: ['check', 'llm', 'http', 'pairwise'] }, checks: { type: 'array' } },
    });
  });

  it('says that credentials are missing, or not valid', async () => {
    for (const [authorization, code] of [
      [undefined, 'auth.missing'],
      ['Digest abc', 'auth.invalid'],
      ['Bearer hone_unknown', 'auth.invalid'],
    ] as const) {
      const { status, headers, json } = await evaluation.as(authorization).get('/evaluation/scorer-kinds');
      expect([status, json().code]).toEqual([401, code]);
      expect(headers['www-authenticate']).toBe('Basic realm="hone", Bearer realm="hone"');
    }
  });

  it('answers 404 and 405 with the error body', async () => {
    const wendy = evaluation.as(evaluation.writer);
    for (const path of ['/evaluation', '/evaluation/nothing', '/evaluation/scorer-kinds/check'])
      expect((await wendy.get(path)).json()).toEqual({
        detail: 'There is nothing at this path.',
        code: 'route.not_found',
      });
    const wrong = await wendy.post('/evaluation/scorer-kinds', {});
    expect([wrong.status, wrong.json().code, wrong.headers['allow']]).toEqual([405, 'route.method', 'GET, HEAD']);
  });

  it('refuses a control character in any path parameter', async () => {
    const admin = await evaluation.user('root', { isAdmin: true });
    expect(await takenControlCharacters(evaluation.app, basic('api', admin.key))).toEqual([]);
  });
});
