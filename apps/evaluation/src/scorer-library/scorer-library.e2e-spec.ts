import {
  check,
  definitionIssues,
  type JudgeDto,
  type LibraryScorerDto,
  ScorerCreateDto,
  type VerdictDto,
} from '@hone/contracts';
import { startTestApp, type TestApp } from '@hone/testing';

import { EvaluationModule } from '../evaluation.module.js';
import { answerSchema } from '../kinds/llm/judge-prompt.js';
import { FakeGateway } from '../testing/fake-gateway.fixture.js';
import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';

const LIBRARY = '/evaluation/scorer-library';
const WHOLE = {
  inputs: { messages: [{ role: 'user', content: 'Hot or cold?' }], context: 'It is cold.', expected: '7' },
  output: '7',
};

/** An answer of the form that a judge is asked for. */
function answerOf(judge: JudgeDto): string {
  const { properties } = answerSchema(judge) as { properties: Record<string, { type: string; enum?: number[] }> };
  const members = Object.entries(properties).map(([name, { type, enum: steps }]) => [
    name,
    type === 'boolean' ? true : (steps?.at(-1) ?? 'so'),
  ]);
  return JSON.stringify(Object.fromEntries(members));
}

describe('the library of scorers', () => {
  let gateway: FakeGateway;
  let app: TestApp;
  let scorers: LibraryScorerDto[];
  let calls: string[];
  beforeAll(async () => {
    gateway = await FakeGateway.start();
    app = await startTestApp(
      EvaluationModule.forRoot(() => ({ gatewayUrl: gateway.url })),
      {},
      { isOwn: true },
    );
    scorers = (await app.as(app.writer).get(`${LIBRARY}?model=gpt-5`)).json().scorers;
    calls = await (await JudgedProject.of(app)).addCalls(WHOLE, { ...WHOLE, inputs: { messages: [] } });
  });
  afterAll(async () => {
    await app.close();
    await gateway.close();
  });

  it('has at least twenty, each with a name of its own, that can be stored as they are', () => {
    expect(scorers.length).toBeGreaterThanOrEqual(20);
    expect(new Set(scorers.map(({ name }) => name)).size).toBe(scorers.length);
    for (const { name, description, definition } of scorers) {
      const { value, issues } = check(ScorerCreateDto, { name, description, definition });
      expect([name, issues, value?.definition && definitionIssues(value.definition)]).toEqual([name, [], []]);
      if (definition.llm) expect(definition.llm.model).toBe('gpt-5');
    }
  });

  it('judges what a call has that each needs, and skips the others', async () => {
    for (const { name, needs, definition } of scorers) {
      gateway.reply = () => (definition.llm ? answerOf(definition.llm) : '');
      const body = { project_id: PROJECT, definition, call_ids: calls };
      const { status, json } = await app.as(app.writer).post('/evaluation/scorers/try', body);
      const [whole, bare] = (json() as { verdicts: [VerdictDto, VerdictDto] }).verdicts;
      expect([name, status, whole.state, bare.state]).toEqual([
        name,
        200,
        'done',
        needs.length > 0 ? 'skipped' : 'done',
      ]);
    }
  });

  it('names a model to replace where none is given', async () => {
    const { scorers: preset } = (await app.as(app.writer).get(LIBRARY)).json() as { scorers: LibraryScorerDto[] };
    expect(preset.at(-1)?.definition.llm?.model).toBe('judge');
    expect((await app.as(app.writer).get(`${LIBRARY}?model=`)).status).toBe(422);
  });
});
