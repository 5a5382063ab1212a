import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { EvaluationModule } from '../evaluation.module.js';
import { FakeGateway } from '../testing/fake-gateway.fixture.js';
import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';
import { VerdictWorker } from '../verdicts/verdict-worker.js';

const TRY = '/evaluation/scorers/try';
const MAX_LEVELS = 400;
/** Neither prepared nor run in a second by any engine of linear time that keeps its states. */
const SLOW_PATTERN = '[ab]{1,900}[cd]';
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const checkOf = (check: object) => ({ kind: 'check', check });
const judgeOf = (more: object, content = '{{output}}') => ({
  kind: 'llm',
  llm: { model: 'judge', messages: [{ role: 'user', content }], tags: [{ name: 'polite' }], ...more },
});

describe('hostile scorers', () => {
  let gateway: FakeGateway;
  let app: TestApp;
  let client: TestClient;
  let project: JudgedProject;
  let ids: Record<'short' | 'long' | 'huge' | 'deep', string>;
  beforeAll(async () => {
    gateway = await FakeGateway.start();
    const module = EvaluationModule.forRoot(() => ({ gatewayUrl: gateway.url }));
    app = await startTestApp(module, {}, { isOwn: true });
    client = app.as(app.writer);
    project = await JudgedProject.of(app);
    const [short, long, huge, deep] = (await project.addCalls(
      { output: 'cold' },
      { output: 'ab'.repeat(250_000) },
      { output: 'x'.repeat(2_000_000) },
      { output: nested(100_000) },
    )) as [string, string, string, string];
    ids = { short, long, huge, deep };
  });
  afterAll(async () => {
    await app.close();
    await gateway.close();
  });

  const tryOut = (definition: object, call_ids = Object.values(ids)) =>
    client.post(TRY, { project_id: PROJECT, definition, call_ids });
  const verdictsOf = async (definition: object) => {
    const { status, json } = await tryOut(definition);
    expect(status).toBe(200);
    return json().verdicts.map(({ state, code }: { state: string; code: string | null }) => code ?? state);
  };

  it.each([
    ['a pattern that is none', checkOf({ check: 'regex', pattern: '(a' }), ['check']],
    ['a back reference', checkOf({ check: 'regex', pattern: '(a)\\1' }), ['check']],
    ['nested repeats', checkOf({ check: 'regex', pattern: '((((a{10}){10}){10}){10}){10}' }), ['check']],
    ['a long pattern', checkOf({ check: 'regex', pattern: 'a'.repeat(1_025) }), ['check', 'pattern']],
    ['a schema that is none', checkOf({ check: 'json_schema', schema: { type: 'nothing' } }), ['check']],
    ['a schema elsewhere', checkOf({ check: 'json_schema', schema: { $ref: 'http://a.b/c' } }), ['check']],
    ['a large schema', checkOf({ check: 'json_schema', schema: { const: 'x'.repeat(70_000) } }), ['check']],
    ['a rating called reason', judgeOf({ ratings: [{ name: 'reason', min: 0, max: 1 }] }), ['llm', 'ratings']],
    ['a tag called __proto__', judgeOf({ tags: [{ name: '__proto__' }] }), ['llm', 'ratings']],
    ['a rating called tags', judgeOf({ ratings: [{ name: 'tags', min: 0, max: 1 }] }), ['llm', 'ratings']],
    ['a name twice', judgeOf({ ratings: [{ name: 'polite', min: 0, max: 1 }] }), ['llm', 'ratings']],
    [
      'a step beyond the scale',
      judgeOf({ ratings: [{ name: 'a', min: 0, max: 1, steps: { '2': 'much' } }] }),
      ['llm', 'ratings', 0, 'steps'],
    ],
    [
      '10,000 variables',
      judgeOf(
        {
          messages: Array.from({ length: 10 }, (_, at) => ({
            ...{ role: 'user', content: Array.from({ length: 1_000 }, (_one, n) => `{{inputs.a${at}b${n}}}`).join('') },
          })),
        },
        '',
      ),
      ['llm', 'messages', 0, 'content'],
    ],
    ['a variable of nothing', judgeOf({}, '{{process.env}}'), ['llm', 'messages', 0, 'content']],
  ])('%s is a 422', async (_name, definition, loc) => {
    const { status, json } = await tryOut(definition);
    expect([status, json().detail?.[0]?.loc.slice(0, 2 + loc.length)]).toEqual([422, ['body', 'definition', ...loc]]);
    expect(json().detail.length).toBeLessThanOrEqual(10);
  });

  it.each([
    ['a schema without end', { $ref: '#' }],
    [
      'a schema that recurses',
      { $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
    ],
    ['a schema of slow patterns', { type: 'string', pattern: SLOW_PATTERN }],
  ])('%s is refused, or met by nothing', async (_name, schema) => {
    const { status, json } = await tryOut(checkOf({ check: 'json_schema', schema, of: 'output' }));
    if (status === 422) return;
    expect([status, json().judged]).toEqual([200, expect.any(Number)]);
    const states = new Set(json().verdicts.map(({ state, code }: { state: string; code: string }) => code ?? state));
    for (const state of states) expect(['done', 'check_too_slow', 'missing_values']).toContain(state);
  });

  it.each([
    ['nowhere', 'output.nothing.at.all'],
    ['to a prototype', 'output.__proto__.constructor'],
    ['of dots', '.'.repeat(256)],
  ])('a path that leads %s finds nothing', async (_name, path) => {
    expect(await verdictsOf(checkOf({ check: 'exact', reference: path }))).toEqual([
      'missing_reference',
      'missing_reference',
      'missing_values',
      'missing_reference',
    ]);
  });

  it('nested texts are no JSON', async () => {
    const verdicts = await verdictsOf(
      checkOf({ check: 'json_equal', value: JSON.parse(nested(MAX_LEVELS)) as object }),
    );
    expect(verdicts).toEqual(['done', 'done', 'missing_values', 'done']);
  });

  it('values that would fill a prompt many times over are too long for it', async () => {
    const content = '{{output}}'.repeat(3_000);
    gateway.reply = () => JSON.stringify({ reason: 'x', polite: true });
    expect(await verdictsOf(judgeOf({}, content))).toEqual([
      'done',
      'missing_shorter_values',
      'missing_values',
      'missing_shorter_values',
    ]);
  });

  it('20 calls with 9 votes each are 180 requests, not more than some at once', async () => {
    gateway.reset();
    gateway.reply = () => JSON.stringify({ reason: 'x', polite: true });
    const many = await project.addCalls(...Array.from({ length: 20 }, () => ({})));
    const { status, json } = await tryOut(judgeOf({ votes: 9 }), many);
    expect([status, json()]).toMatchObject([200, { judged: 20, cost_usd: 0.18 }]);
    expect(new Set(gateway.asked.map(({ requestId }) => requestId)).size).toBe(180);
  });

  it('white space that a judge answers with is nonsense at once', async () => {
    const spaces = `\`\`\`json\n${'\n '.repeat(200_000)}x`;
    gateway.reply = () => spaces;
    const { json } = await tryOut(judgeOf({}), [ids.short]);
    expect(json().verdicts[0].code).toBe('judge_answered_nonsense');
  });

  it('names of any script reach the gateway', async () => {
    gateway.reset();
    const [call] = await project.addCalls({});
    gateway.reply = () => JSON.stringify({ reason: 'x', polite: true });
    await project.addScorer('höflich-礼貌', judgeOf({}));
    const made = await client.post('/evaluation/scorings', {
      project_id: PROJECT,
      scorer: 'höflich-礼貌',
      call_ids: [call],
    });
    await app.app.get(VerdictWorker).run();
    expect((await client.get(`/evaluation/scorings/${made.json().id}`)).json()).toMatchObject({ counts: { done: 1 } });
    expect(Buffer.from(gateway.asked[0]?.metadata.user as string, 'latin1').toString()).toBe(
      'hone.scorer:höflich-礼貌',
    );
  });

  it('slow patterns end with the thread that they run in', async () => {
    const { status, json } = await tryOut(checkOf({ check: 'regex', pattern: SLOW_PATTERN }));
    expect([
      status,
      json().verdicts.map((one: { code: string | null; state: string }) => one.code ?? one.state),
    ]).toEqual([200, ['done', 'check_too_slow', 'missing_values', 'done']]);
  });

  it('a scorer that cannot be used is refused before there is a job', async () => {
    await project.addScorer('broken', checkOf({ check: 'regex', pattern: '(a' }));
    const { status, json } = await client.post('/evaluation/scorings', { project_id: PROJECT, scorer: 'broken' });
    expect([status, json().detail[0].loc]).toEqual([422, ['body', 'scorer']]);
  });
});
