import { check, exampleOf, ScorerKindListDto } from '@hone/contracts';
import { basic, type TestApp } from '@hone/testing';

import { startEvaluation } from '../evaluation.fixture.js';

const PATH = '/evaluation/scorer-kinds';

describe('GET /evaluation/scorer-kinds', () => {
  let evaluation: TestApp;
  beforeAll(async () => {
    evaluation = await startEvaluation();
  });
  afterAll(() => evaluation.close());

  it('lists every kind, with what it asks for', async () => {
    const { status, json } = await evaluation.as(evaluation.writer).get(PATH);
    expect([status, json()]).toEqual([
      200,
      {
        kinds: [
          {
            kind: 'check',
            checks: [
              'exact',
              'contains',
              'regex',
              'json_schema',
              'json_equal',
              'numeric',
              'edit_distance',
              'latency',
              'cost',
              'tool_called',
              'language',
              'expression',
            ],
            description: expect.stringMatching(/^[A-Z].*\.$/),
          },
          { kind: 'http', description: expect.stringMatching(/^[A-Z].*\.$/) },
          { kind: 'llm', description: expect.stringMatching(/^[A-Z].*\.$/) },
          { kind: 'pairwise', description: expect.stringMatching(/^[A-Z].*\.$/) },
        ],
      },
    ]);
    expect(check(ScorerKindListDto, json()).issues).toEqual([]);
    expect(check(ScorerKindListDto, exampleOf(ScorerKindListDto)).issues).toEqual([]);
  });

  it("takes Bearer, and Basic with the owner's username or `api`", async () => {
    const { key } = evaluation.writer;
    for (const authorization of [`Bearer ${key}`, basic('api', key), basic('wendy', key)])
      expect((await evaluation.as(authorization).get(PATH)).status).toBe(200);
    expect((await evaluation.as(basic('admin', key)).get(PATH)).status).toBe(401);
  });

  it('wants the scope `trace`', async () => {
    const other = await evaluation.user('other', { scopes: ['account', 'training', 'inference'] });
    const { status, json } = await evaluation.as(other).get(PATH);
    expect([status, json()]).toEqual([403, { detail: "This key lacks the scope 'trace'.", code: 'access.denied' }]);
  });
});
