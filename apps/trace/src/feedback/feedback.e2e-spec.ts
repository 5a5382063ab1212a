import { startTestApp, type TestApp } from '@hone/testing';

import { TraceModule } from '../trace.module.js';

describe('POST /feedback/create', () => {
  let trace: TestApp;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
  });
  afterAll(() => trace.close());

  it('stores a record', async () => {
    const response = await trace
      .as(trace.writer)
      .post(
        '/feedback/create',
        '{"project_id":"acme/demo","trace_ref":"hone:///acme/demo/call/c1","feedback_type":"quality","payload":{"score":1.0,"why":"é","c":"\\u0000\\ud800"},"scorer_ratings":{"overall":0.75}}',
      );
    console.log(response.status, response.text, response.headers);
    console.log(await trace.sql('select * from feedback'));
  });
  it('others', async () => {
    const c = trace.as(trace.writer);
    for (const [p, b] of [
      ['/obj/create', { obj: { project_id: 'acme/demo', object_id: 'cfg', val: { b: 1, a: 'é' } } }],
      ['/objs/query', { project_id: 'acme/demo', include_storage_size: true, include_tags_and_aliases: true }],
      ['/objs/query', { project_id: 'acme/demo', filter: { latest_only: true }, limit: 5, metadata_only: true }],
      [
        '/v2/acme/demo/models',
        { name: 'Greeter', source_code: 'class Model:\n    pass\n', attributes: { temperature: 0.2 } },
      ],
      ['/v2/acme/demo/evaluations', { name: 'smoke', dataset: 'x:///acme/demo/object/ds:v0' }],
      [
        '/call/upsert_batch',
        {
          batch: [
            {
              mode: 'start',
              req: {
                start: {
                  project_id: 'acme/demo',
                  id: 'c1',
                  op_name: 'x:///acme/demo/op/predict:v0',
                  started_at: '2026-01-15T09:59:00Z',
                  attributes: {},
                  inputs: { q: '2+2' },
                },
              },
            },
            {
              mode: 'end',
              req: {
                end: { project_id: 'acme/demo', id: 'c1', ended_at: '2026-01-15T09:59:01Z', output: '4', summary: {} },
              },
            },
          ],
        },
      ],
      ['/annotation_queues', { project_id: 'acme/demo', name: 'q' }],
      ['/feedback/batch/create', { batch: [] }],
      ['/nope', {}],
    ] as const) {
      const r = await c.post(p, b);
      console.log(p, r.status, r.text);
    }
    console.log((await c.get('/v2/acme/demo/models/greeter/versions/latest')).text);
    console.log(
      (await c.delete('/v2/acme/demo/evaluations/smoke')).text,
      (await c.delete('/v2/acme/demo/evaluations/smoke')).text,
    );
    console.log(
      (await c.put('/feedback/create', {})).text,
      (await c.post('/feedback/create', '[1,')).text,
      (await trace.as(undefined).post('/feedback/create', '[1,')).text,
    );
    console.log((await c.get('/openapi.json')).text.slice(0, 300));
  });
});
