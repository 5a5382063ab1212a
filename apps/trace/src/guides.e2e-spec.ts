import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { followGuide } from './testing/guide.fixture.js';
import { TraceModule } from './trace.module.js';

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('guides that can be followed to the letter', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeEach(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(await trace.user('olga', { roles: { local: 'owner' } }));
  });
  afterEach(() => trace.close());

  it('evaluations', async () => {
    const followed = await followGuide(client, 'evaluations.md');
    const answers = followed.map(({ response }) => response);
    const results = followed.find(({ path }) => path.endsWith('/eval_results/query'))?.response.json();
    expect(results.rows.map(({ inputs }: { inputs: { q: string } }) => inputs.q)).toEqual(['7+8', '2+2']);
    const [wrong] = results.rows;
    expect(wrong.evaluations.map(({ trials }: { trials: { output: string }[] }) => trials[0]?.output)).toEqual([
      '14',
      '15',
    ]);
    const [runs, predictions, scores] = answers.slice(-4, -1).map(({ text }) => linesOf(text)) as [
      object[],
      object[],
      object[],
    ];
    expect([runs.length, predictions.length, scores.length]).toEqual([3, 2, 2]);
    expect(runs[2]).toMatchObject({ status: 'success', exception: null, summary: { exact: { mean: 1 } } });
    const rerun = answers.map((answer) => answer.text).find((text) => text.includes('"failed":1'));
    expect(JSON.parse(rerun ?? '')).toMatchObject({
      total_rows: 2,
      summary: [{ predicted: 0, failed: 1, missing: 1 }],
    });
    expect(runs[0]).toMatchObject({ status: 'success', summary: { exact: { mean: 0.5 } } });
    expect(answers.at(-1)?.json()).toEqual({ num_deleted: 1 });
  });

  it('export', async () => {
    const followed = await followGuide(client, 'export.md');
    const [first, second] = followed
      .filter(({ path }) => path === '/calls/query')
      .map(({ response }) => response.json());
    expect([first.calls, second.calls].map((calls) => calls.map(({ id }: { id: string }) => id))).toEqual([
      ['x1', 'x2'],
      ['x3'],
    ]);
    expect(second.next_cursor).toBeNull();
    const lines = followed.find(({ path }) => path === '/feedback/query')?.response;
    expect([lines?.headers['content-type'], linesOf(lines?.text ?? '').length]).toEqual([
      'application/x-ndjson; charset=utf-8',
      1,
    ]);
    const [all, kept, feedback] = followed
      .filter(({ path }) => path === '/export')
      .map(({ response }) => linesOf(response.text));
    expect(all).toHaveLength(2);
    expect(kept).toEqual([
      {
        messages: [
          { role: 'user', content: '7+8?' },
          { role: 'assistant', content: '15' },
        ],
      },
    ]);
    expect(feedback).toHaveLength(1);
  });
});
