import { startTestApp, type TestApp, type TestClient, type TestUser } from '@hone/testing';

import { finishedCalls, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const STATES = ['unstarted', 'in_progress', 'completed', 'skipped'] as const;
type State = (typeof STATES)[number];

describe('annotation queues', () => {
  let trace: TestApp;
  let client: TestClient;
  let queueId: string;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    await client.post('/call/upsert_batch', finishedCalls('c1', 'c2'));
    queueId = await createQueue();
  });
  afterAll(() => trace.close());

  const createQueue = async (project_id = PROJECT): Promise<string> =>
    (await client.post('/annotation_queues', { project_id, name: 'q' })).json().id;
  const addItem = async (queue: string, callId = 'c1'): Promise<string> => {
    await client.post(`/annotation_queues/${queue}/items`, {
      project_id: PROJECT,
      call_ids: [callId],
      display_fields: ['inputs.q'],
    });
    return (
      await trace.sql<{ id: string }>('SELECT id FROM annotation_queue_items WHERE queue_id = $1 AND call_id = $2', [
        queue,
        callId,
      ])
    )[0]?.id as string;
  };
  const move = (
    itemId: string,
    annotation_state: string,
    who: TestUser = trace.writer,
    queue = queueId,
    project_id = PROJECT,
  ) => trace.as(who).post(`/annotation_queues/${queue}/items/${itemId}/progress`, { project_id, annotation_state });

  it('answers the item whole, with the state of the caller', async () => {
    const itemId = await addItem(queueId);
    const response = await move(itemId, 'in_progress');
    expect(response.json()).toEqual({
      item: {
        id: itemId,
        project_id: PROJECT,
        queue_id: queueId,
        call_id: 'c1',
        call_started_at: '2026-01-15T09:59:00.000Z',
        call_op_name: 'hone:///acme/demo/op/predict:v0',
        call_trace_id: 't1',
        display_fields: ['inputs.q'],
        created_at: expect.stringMatching(/Z$/),
        created_by: trace.writer.id,
        updated_at: expect.stringMatching(/Z$/),
        call_ended_at: '2026-01-15T09:59:01.000Z',
        added_by: trace.writer.id,
        annotator_user_id: trace.writer.id,
        deleted_at: null,
        position_in_queue: null,
        annotation_state: 'in_progress',
      },
    });
    expect(response.json().item.updated_at >= response.json().item.created_at).toBe(true);
  });

  const LEGAL: Record<State, State[]> = {
    unstarted: ['in_progress', 'completed', 'skipped'],
    in_progress: ['completed', 'skipped'],
    completed: [],
    skipped: [],
  };
  const PAIRS = STATES.flatMap((from) => STATES.map((to) => [from, to] as const));

  it.each(PAIRS)('moves from %s to %s only where that is legal', async (from, to) => {
    const itemId = await addItem(await createQueue());
    const [{ queue_id: queue }] = (await trace.sql('SELECT queue_id FROM annotation_queue_items WHERE id = $1', [
      itemId,
    ])) as [{ queue_id: string }];
    if (from !== 'unstarted') expect((await move(itemId, from, trace.writer, queue)).status).toBe(200);
    const before = await trace.sql('SELECT state, updated_at FROM annotation_progress WHERE item_id = $1', [itemId]);
    const response = await move(itemId, to, trace.writer, queue);
    const after = await trace.sql('SELECT state, updated_at FROM annotation_progress WHERE item_id = $1', [itemId]);
    if (from === to) {
      expect([response.status, response.json().item.annotation_state]).toEqual([200, to]);
      expect(after).toEqual(before);
    } else if (LEGAL[from].includes(to)) {
      expect([response.status, response.json().item.annotation_state]).toEqual([200, to]);
    } else {
      const detail = `Cannot move from '${from}' to '${to}'; only 'unstarted' and 'in_progress' can be left.`;
      expect([response.status, response.json()]).toEqual([409, { detail, code: 'annotation.illegal_transition' }]);
      expect(after).toEqual(before);
    }
  });

  it('names the four states when given another', async () => {
    const response = await move(await addItem(queueId), 'done');
    expect(response.json()).toEqual({
      detail: [
        {
          loc: ['body', 'annotation_state'],
          msg: "Input should be 'unstarted', 'in_progress', 'completed' or 'skipped'",
          type: 'enum',
        },
      ],
    });
  });

  it('finds neither items of other queues nor queues of other projects', async () => {
    const itemId = await addItem(queueId);
    const other = await createQueue();
    const elsewhere = await createQueue('acme/other');
    const cases = [
      [itemId, other, PROJECT, 'annotation.item_not_found'],
      ['x', queueId, PROJECT, 'annotation.item_not_found'],
      ['%00', queueId, PROJECT, 'route.not_found'],
      [itemId, elsewhere, PROJECT, 'annotation.queue_not_found'],
      [itemId, queueId, 'acme/other', 'annotation.queue_not_found'],
      [itemId, 'x', PROJECT, 'annotation.queue_not_found'],
    ] as const;
    for (const [item, queue, project, code] of cases) {
      const response = await move(item, 'skipped', trace.writer, queue, project);
      expect([response.status, response.json().code]).toEqual([404, code]);
    }
    await trace.sql('UPDATE annotation_queue_items SET deleted_at = now() WHERE id = $1', [itemId]);
    expect((await move(itemId, 'skipped')).json().code).toBe('annotation.item_not_found');
    await trace.sql('UPDATE annotation_queues SET deleted_at = now() WHERE id = $1', [other]);
    expect((await move(itemId, 'skipped', trace.writer, other)).json().code).toBe('annotation.queue_not_found');
  });

  it('keeps the states of two annotators apart, and reads as a reader may not', async () => {
    const itemId = await addItem(await createQueue(), 'c2');
    const [{ queue_id: queue }] = (await trace.sql('SELECT queue_id FROM annotation_queue_items WHERE id = $1', [
      itemId,
    ])) as [{ queue_id: string }];
    const annotator = await trace.user('ann', { roles: { acme: 'annotator' } });
    const reader = await trace.user('reed', { roles: { acme: 'reader' } });
    expect((await move(itemId, 'completed', trace.writer, queue)).json().item).toMatchObject({
      annotation_state: 'completed',
      annotator_user_id: trace.writer.id,
    });
    expect((await move(itemId, 'unstarted', annotator, queue)).json().item).toMatchObject({
      annotation_state: 'unstarted',
      annotator_user_id: null,
    });
    expect((await move(itemId, 'skipped', annotator, queue)).json().item).toMatchObject({
      annotation_state: 'skipped',
      annotator_user_id: annotator.id,
    });
    expect(await trace.sql('SELECT 1 FROM annotation_progress WHERE item_id = $1', [itemId])).toHaveLength(2);
    expect((await move(itemId, 'skipped', reader, queue)).status).toBe(403);
  });

  it('lets parallel moves of one annotator act one after the other', async () => {
    const queue = await createQueue();
    const itemId = await addItem(queue);
    const responses = await Promise.all(
      ['completed', 'skipped', 'completed', 'skipped'].map((state) => move(itemId, state, trace.writer, queue)),
    );
    const [{ state }] = (await trace.sql('SELECT state FROM annotation_progress WHERE item_id = $1', [itemId])) as [
      { state: string },
    ];
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    for (const response of responses)
      if (response.status === 200) expect(response.json().item.annotation_state).toBe(state);
  });

  it('adds calls once and names those it does not know', async () => {
    const queue = await createQueue();
    const end = { project_id: PROJECT, id: 'only-end', ended_at: '2026-01-15T10:00:00Z', summary: {} };
    await client.post('/call/upsert_batch', { batch: [{ mode: 'end', req: { end } }] });
    const add = (call_ids: string[]) =>
      client.post(`/annotation_queues/${queue}/items`, { project_id: PROJECT, call_ids });
    expect((await add(['c1', 'nope', 'c1', 'only-end', 'nope'])).json()).toEqual({
      added_count: 1,
      duplicates: 1,
      not_found: ['nope', 'only-end'],
    });
    expect((await add(['c1', 'c2'])).json()).toEqual({ added_count: 1, duplicates: 1, not_found: [] });
  });

  it('queries items with the newest progress of any annotator', async () => {
    const queue = await createQueue();
    await client.post('/call/upsert_batch', finishedCalls('q1', 'q2', 'q3'));
    await client.post(`/annotation_queues/${queue}/items`, { project_id: PROJECT, call_ids: ['q1', 'q2', 'q3'] });
    const query = async (body: object = {}) => {
      const response = await client.post(`/annotation_queues/${queue}/items/query`, { project_id: PROJECT, ...body });
      expect(response.status).toBe(200);
      return response.json().items as {
        id: string;
        call_id: string;
        annotation_state: string;
        annotator_user_id: string;
        position_in_queue: number;
      }[];
    };
    const [one, two] = await query();
    const other = await trace.user('newest', { roles: { acme: 'annotator' } });
    await move(one?.id as string, 'in_progress', trace.writer, queue);
    await move(one?.id as string, 'completed', other, queue);
    await move(two?.id as string, 'skipped', trace.writer, queue);
    const states = (await query()).map(({ call_id, annotation_state, annotator_user_id }) => [
      call_id,
      annotation_state,
      annotator_user_id,
    ]);
    expect(states).toEqual([
      ['q1', 'completed', other.id],
      ['q2', 'skipped', trace.writer.id],
      ['q3', 'unstarted', null],
    ]);
    const positions = await query({
      include_position: true,
      filter: { annotation_states: ['unstarted', 'skipped'] },
      sort_by: [{ field: 'id', direction: 'desc' }],
    });
    expect(positions.map(({ call_id, position_in_queue }) => [call_id, position_in_queue])).toEqual([
      ['q3', 3],
      ['q2', 2],
    ]);
    expect(
      (await query({ filter: { call_id: 'q2', added_by: trace.writer.id } })).map(({ call_id }) => call_id),
    ).toEqual(['q2']);
    expect(await query({ limit: 1, offset: 3 })).toEqual([]);
    const unknown = await client.post('/annotation_queues/nope/items/query', { project_id: PROJECT });
    expect(unknown.json().code).toBe('annotation.queue_not_found');
  });
});
