import { type TestApp } from '@hone/testing';
import { IS_LONG } from '@hone/testing/rounds';

import { JudgedProject } from '../testing/judged-project.fixture.js';
import { TinyGateway } from '../testing/tiny-gateway.fixture.js';
import { VerdictWorker } from './verdict-worker.js';

/** The long form has 10,000 judgements. */
const JUDGEMENTS = Number(process.env['HONE_JUDGEMENTS'] ?? (IS_LONG ? 10_000 : 200));
/** Another model than the bundled one lies in `HONE_MODELS_DIR`, where `npm run models -- add` puts it. */
const MODEL = process.env['HONE_JUDGE_MODEL'] ?? 'hone-tiny';
/** What a judgement may take, twice: a model of 135 million parameters takes seconds on two busy cores. */
const JUDGEMENT_MS = MODEL === 'hone-tiny' ? 500 : 10_000;
/** Its names are not of ASCII: they travel in headers, too. */
const PROJECT = 'acme/prüfung-検査';
const SCALES = [
  [1, 5],
  [0, 1],
  [-3, 3],
  [1, 100],
] as const;
const RATINGS = SCALES.map(([min, max], at) => ({ name: `scale-${at}`, min, max }));
const TAGS = [{ name: 'polite', description: 'It is friendly.' }, { name: 'Größe' }];
const llm = (more: object) => ({
  kind: 'llm',
  llm: {
    model: MODEL,
    messages: [{ role: 'user', content: 'Asked: {{messages}}\nAnswered: {{output}}' }],
    ...more,
  },
});
const PAIRWISE = {
  kind: 'pairwise',
  pairwise: {
    ...{ model: MODEL, against: 'inputs.expected', temperature: 1, max_tokens: 48 },
    messages: [{ role: 'user', content: 'Asked: {{messages}}\n1: {{first}}\n2: {{second}}' }],
  },
};
/** Each scale by itself, all of it together with little room, tags alone, a warm judge, and one of two answers. */
const SCORERS = [
  ...RATINGS.map((rating) => llm({ ratings: [rating], max_tokens: 64 })),
  llm({ ratings: RATINGS, tags: TAGS, max_tokens: 160 }),
  llm({ tags: TAGS, max_tokens: 16 }),
  llm({ ratings: RATINGS, temperature: 2, seed: 7, max_tokens: 96 }),
  llm({ ratings: [RATINGS[0]], temperature: 1.3, votes: 3, max_tokens: 48 }),
  llm({ ratings: RATINGS.slice(0, 2), expected: true, max_tokens: 64 }),
  PAIRWISE,
];
const CALLS = Math.ceil(JUDGEMENTS / SCORERS.length);

interface Found {
  readonly scorer: string;
  readonly call: string;
  readonly ratings: Record<string, number>;
  readonly tags: string[];
  readonly payload: { readonly output: Record<string, unknown> };
}

/** Each judgement has calls of its own. */
const withoutCalls = (payload: object): Found['payload'] =>
  JSON.parse(
    JSON.stringify(payload, (key, value: unknown) => (key === 'call' ? undefined : value)),
  ) as Found['payload'];

/** Whether the two orders of a comparison disagree. */
function isFlipped({ orders }: Record<string, unknown>): boolean {
  const [one, other] = orders as { readonly better: string }[];
  return one?.better !== other?.better;
}

describe(`${SCORERS.length * CALLS} judgements of ${MODEL}`, () => {
  let tiny: TinyGateway;
  let app: TestApp;
  let project: JudgedProject;
  beforeAll(async () => {
    tiny = await TinyGateway.start(MODEL);
    ({ app } = tiny);
    project = await JudgedProject.of(app, PROJECT);
    await project.addCalls(
      ...Array.from({ length: CALLS }, (_, n) => ({
        inputs: { messages: [{ role: 'user', content: `What is ${n} and ${n % 7}?` }], expected: `${n}, no, ${n % 7}` },
        output: `It is ${n + (n % 7)}, "of course"`,
      })),
    );
  });
  afterAll(() => tiny.close());

  /** Has every scorer judge all calls. @returns what was stored, without its ids */
  async function judge(): Promise<Found[]> {
    await app.sql('TRUNCATE verdicts, scorings, feedback');
    const client = app.as(app.writer);
    for (const at of SCORERS.keys()) {
      const body = { project_id: PROJECT, scorer: `judge-${at}`, filter: { trace_roots_only: true }, limit: CALLS };
      const { status, json } = await client.post('/evaluation/scorings', body);
      expect([status, json()]).toMatchObject([200, { status: 'queued' }]);
    }
    await app.app.get(VerdictWorker).run();
    const states = await app.sql(
      `SELECT state, code, count(*)::int AS verdicts, min(scorer_id) AS scorer FROM verdicts GROUP BY 1, 2`,
    );
    expect(states).toEqual([{ state: 'done', code: null, verdicts: SCORERS.length * CALLS, scorer: 'judge-0' }]);
    const all = await project.feedback();
    return all.map(({ type, call, ratings, tags, payload }) => ({
      ...{ scorer: type, call, ratings, tags },
      payload: withoutCalls(payload),
    }));
  }

  it(
    'have the form they are asked for, lie on their scales, and are the same again',
    async () => {
      for (const [at, definition] of SCORERS.entries()) await project.addScorer(`judge-${at}`, definition);
      const found = await judge();
      expect(found).toHaveLength(SCORERS.length * CALLS);
      let between = 0;
      for (const { scorer, ratings, tags, payload } of found) {
        const { llm: asked } = SCORERS[Number(scorer.split('-').at(-1))] as {
          llm?: { ratings?: typeof RATINGS; votes?: number; expected?: boolean };
        };
        const { output } = payload;
        expect(typeof output['reason']).toBe('string');
        if (!asked) {
          expect([0, 0.5, 1]).toContain(output['win']);
          expect(ratings['win']).toBe(output['win']);
          expect(tags).toEqual(isFlipped(output) ? ['flipped'] : []);
          continue;
        }
        for (const { name, min, max } of asked.ratings ?? []) {
          const value = output[name] as number;
          expect([scorer, name, value, value >= min && value <= max]).toEqual([scorer, name, value, true]);
          if (asked.votes === undefined && !asked.expected) expect(Number.isInteger(value)).toBe(true);
          if (asked.expected && !Number.isInteger(value)) between++;
          expect(ratings[name]).toBeCloseTo((value - min) / (max - min), 9);
        }
        for (const tag of tags) expect(TAGS.map(({ name }) => name)).toContain(tag);
      }
      // A mean over a scale lies between its numbers where the model holds more than one likely.
      expect(between).toBeGreaterThan(0);
      // No request was asked once more: none of the answers lacked its form.
      expect(await app.sql(`SELECT rid FROM usage_records WHERE rid LIKE '%.1' LIMIT 1`)).toEqual([]);
      expect(await judge()).toEqual(found);
    },
    120_000 + JUDGEMENTS * JUDGEMENT_MS,
  );
});
