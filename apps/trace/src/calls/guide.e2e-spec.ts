import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { TraceModule } from '../trace.module.js';

const GUIDE = readFileSync(join(import.meta.dirname, '../../../../docs/guides/calls.md'), 'utf8');
const COMMAND = /^hone \$BASE(\S+) -d '([^']*)'$/gm;

describe('the guide to calls over HTTP', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(await trace.user('olga', { roles: { local: 'owner' } }));
  });
  afterAll(() => trace.close());

  it('can be followed to the letter', async () => {
    const blocks = [...GUIDE.matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block as string);
    const commands = blocks.flatMap((block) =>
      [...block.matchAll(COMMAND)].map(([, path, body]) => [path, body] as const),
    );
    expect(commands).toHaveLength(blocks.join('').split('hone $BASE').length - 1);
    const answers = new Map<string, string>();
    const lists: string[] = [];
    for (const [path, body] of commands) {
      const { status, text } = await client.post(path as string, body);
      expect([path, status, text]).toEqual([path, 200, expect.any(String)]);
      answers.set(path as string, text);
      if (path === '/calls/stream_query') lists.push(text);
    }
    expect(JSON.parse(answers.get('/call/read') as string).call).toMatchObject({
      ...{ id: 'k1', output: '4', summary: { hone: { status: 'success', latency_ms: 3_000, trace_name: 'answer' } } },
    });
    const [judged, previewed] = lists.map((text) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
    expect(previewed).toMatchObject([
      { id: 'k1', 'summary.hone.input_preview': 'What is 2+2?', 'summary.hone.trace': { calls: 2, total_tokens: 15 } },
      { id: 'k3', 'summary.hone.trace': { calls: 1, errors: 1, cost: null } },
    ]);
    expect(judged).toEqual([
      {
        ...{ id: 'k3', project_id: 'local/docs', op_name: 'answer', 'summary.hone.status': 'error' },
        'inputs.q': 'What is 3+3?',
      },
      {
        ...{ id: 'k1', project_id: 'local/docs', op_name: 'answer', 'summary.hone.status': 'success' },
        'inputs.q': 'What is 2+2?',
      },
    ]);
    expect(JSON.parse(answers.get('/calls/query') as string).calls).toMatchObject([{ id: 'k1' }]);
    expect(JSON.parse(answers.get('/calls/usage') as string).call_usage.k1['gpt-5']).toMatchObject({
      ...{ requests: 1, prompt_tokens: 12, completion_tokens: 3, total_cost: expect.closeTo(0.000045) },
    });
    expect(JSON.parse(answers.get('/project/stats') as string)).toMatchObject({ call_count: 2 });
  });
});
