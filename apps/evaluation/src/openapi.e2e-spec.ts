import { basic, type TestApp, type TestResponse } from '@hone/testing';
import { describeOpenApi } from '@hone/testing/openapi';

import { startEvaluation } from './evaluation.fixture.js';
import { JudgedProject } from './testing/judged-project.fixture.js';

/** What a definition needs depends on its kind; a scorer is named or defined. */
const isNoScorer = ({ json }: TestResponse): boolean =>
  json().detail.every(({ loc }: { loc: unknown[] }) => ['definition', 'scorer'].includes(loc[1] as string));
/** Each grader is named or defined, and may lack the criterion. */
const isNoGrader = ({ json }: TestResponse): boolean =>
  json().detail.every(({ loc }: { loc: unknown[] }) => loc[1] === 'scorers');
/** Of the documented report. */
const HELPFUL = {
  kind: 'llm',
  llm: {
    model: 'judge',
    messages: [{ role: 'user', content: '{{output}}' }],
    ratings: [{ name: 'helpful', min: 1, max: 5 }],
  },
};

/** Candidates and scorers have different names. */
const isNoEvaluation = ({ json }: TestResponse): boolean =>
  json().detail.every(
    ({ loc }: { loc: unknown[] }) => loc[1] === 'scorers' || ['name', 'parameters'].includes(String(loc.at(-1))),
  );
const EXACT = { kind: 'check', check: { check: 'exact', reference: 'inputs.expected' } };

/** Calls are drawn that a scorer has judged, for a field of the project. */
const isNoDraw = ({ json }: TestResponse): boolean =>
  json().code?.startsWith('label_queue.') === true ||
  json().detail.every(({ loc }: { loc: unknown[] }) =>
    ['filter', 'query', 'criterion', 'truth', 'strata'].includes(loc[1] as string),
  );

/** Probes need calls that are judged. */
const isNoBiasReport = (response: TestResponse): boolean =>
  response.json().code === 'bias_report.nothing_to_probe' || isNoReport(response);

/** The expression is of calls, and the criterion one of the scorer's. */
const isNoReport = ({ json }: TestResponse): boolean =>
  json().detail.every(({ loc }: { loc: unknown[] }) => ['filter', 'query', 'criterion'].includes(loc[1] as string));

/** Of the documented comparison. */
const RUNS = ['019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d', '019bc11a-0200-7c41-8e0f-6a1b2c3d4e5f'];
/** What a comparison asks of the runs, and names that are to differ. */
const isNoComparison = ({ json }: TestResponse): boolean =>
  json().detail.every(({ loc }: { loc: unknown[] }) =>
    ['runs', 'metrics', 'lower_is_better', 'facts', 'margins', 'widths', 'slices', 'truth'].includes(loc[1] as string),
  );

const PIPELINE = {
  ...{ name: 'first', model_id: RUNS[0], promote_to: 'production', data: { kind: 'thumbs' } },
  ...{ evaluate: { dataset: 'questions', scorers: ['exact'] }, gate: { metric: 'scores.exact.passed' } },
};

/** What a gate asks of its runs, its metric and the labels. */
const isNoGate = ({ json }: TestResponse): boolean =>
  json().detail.every(({ loc }: { loc: unknown[] }) =>
    ['runs', 'calls', 'metric', 'scale', 'guards', 'slices', 'truth'].includes(loc[1] as string),
  );

/** Scorers are named once and find the metric; a scale has a least score. */
const isNoPromptEdit = ({ json }: TestResponse): boolean =>
  json().detail.every(({ loc }: { loc: unknown[] }) =>
    ['scorers', 'metric', 'scale', 'parameters'].includes(loc[1] as string),
  );

/** What could do harm, what a gate asks of its settings, and texts that the database cannot hold. */
const isUnsafe = ({ json }: TestResponse): boolean => {
  const { code, detail } = json();
  if (code === 'pipeline.unsafe' || code === 'improvement.unsafe') return true;
  return detail.every(
    ({ loc, type }: { loc: unknown[]; type: string }) => loc[1] === 'gate' || type === 'string_unicode',
  );
};

describe('the OpenAPI document of the evaluation service', () => {
  let evaluation: TestApp;
  afterAll(() => evaluation.close());

  describeOpenApi(
    async () => {
      evaluation = await startEvaluation();
      const project = await JudgedProject.of(evaluation, 'acme/demo');
      const digest = await project.addScorer('helpful', HELPFUL);
      await project.addScorer('exact', EXACT);
      await project.addDataset(
        'questions',
        Array.from({ length: 8 }, (_none, at) => ({ question: `The opposite of hot? ${at}`, expected: 'cold' })),
      );
      await project.addInstance('brief', 'MessagesPrompt', { messages: [{ role: 'user', content: '{{question}}' }] });
      for (const call of await project.addCalls(...RUNS.map((id) => ({ id }))))
        await project.addVerdict(`helpful:${digest}`, call, { helpful: 4 });
      await project.addField('quality');
      const owner = await evaluation.user('olga', { roles: { acme: 'owner' } });
      const client = evaluation.as(basic('api', owner.key));
      const pipeline = { ...PIPELINE, project_id: 'acme/demo' };
      const made = (await client.post('/evaluation/pipelines', pipeline)).json();
      const monitor = { project_id: 'acme/demo', name: 'first', scorer: 'helpful' };
      const { id } = (await client.post('/evaluation/monitors', monitor)).json();
      return { client, parameters: { monitor_id: id as string, pipeline_id: made.id as string } };
    },
    {
      // Runs that there are not.
      compareRuns: { alsoAccepted: [404], isDocumentedRefusal: isNoComparison },
      // A name may be taken, and a project has fifty at most.
      createMonitor: { alsoAccepted: [400, 409] },
      updateMonitor: {},
      createPipeline: { alsoAccepted: [404, 409], isDocumentedRefusal: isUnsafe },
      updatePipeline: {},
      createEvaluationJob: { alsoAccepted: [429], isDocumentedRefusal: isNoEvaluation },
      createScoring: { alsoAccepted: [400, 429] },
      createBiasReport: { alsoAccepted: [400, 429], isDocumentedRefusal: isNoBiasReport },
      improveModel: { alsoAccepted: [404, 409, 422, 503], isDocumentedRefusal: isUnsafe },
      createGate: { alsoAccepted: [404, 409], isDocumentedRefusal: isNoGate },
      createPromptEdit: { alsoAccepted: [409], isDocumentedRefusal: isNoPromptEdit },
      createLabelQueue: { alsoAccepted: [400], isDocumentedRefusal: isNoDraw },
      planLabels: { isDocumentedRefusal: isNoReport },
      reportJudge: { isDocumentedRefusal: isNoReport },
      gradeAnswers: { alsoAccepted: [400], isDocumentedRefusal: isNoGrader },
      tryScorer: { alsoAccepted: [400], isDocumentedRefusal: isNoScorer },
    },
  );
});
