import type { FeedbackCreateDto } from '@hone/contracts';

export const PROJECT = 'acme/demo';

/** A valid body of `POST /feedback/create`. */
export const aFeedback = (fields: Partial<Record<keyof FeedbackCreateDto, unknown>> = {}) => ({
  project_id: PROJECT,
  trace_ref: 'hone:///acme/demo/call/c1',
  feedback_type: 't',
  payload: {} as unknown,
  ...fields,
});

/** A valid body of `POST /obj/create`. */
export const anObject = (object_id: string, val: unknown, fields: Record<string, unknown> = {}) => ({
  obj: { project_id: PROJECT, object_id, val, ...fields },
});

/** Value of a typed object of this class. */
export const aTyped = (className: string, fields: Record<string, unknown> = {}) => ({
  _type: className,
  _class_name: className,
  _bases: ['Object', 'BaseModel'],
  ...fields,
});

/** Body of `POST /call/upsert_batch` with one finished call per id. */
export const finishedCalls = (...ids: string[]) => ({
  batch: ids.flatMap((id) => [
    {
      mode: 'start',
      req: {
        start: {
          project_id: PROJECT,
          id,
          op_name: 'hone:///acme/demo/op/predict:v0',
          trace_id: 't1',
          started_at: '2026-01-15T09:59:00Z',
          attributes: {},
          inputs: { q: '2+2' },
        },
      },
    },
    {
      mode: 'end',
      req: { end: { project_id: PROJECT, id, ended_at: '2026-01-15T09:59:01Z', output: '4', summary: {} } },
    },
  ]),
});

/** A valid start of a call. */
export const aCallStart = (id: string, fields: Record<string, unknown> = {}) => ({
  project_id: PROJECT,
  id,
  op_name: 'hone:///acme/demo/op/predict:v0',
  trace_id: 't1',
  started_at: '2026-01-15T09:59:00Z',
  attributes: {},
  inputs: { q: '2+2' },
  ...fields,
});

/** A valid end of a call. */
export const aCallEnd = (id: string, fields: Record<string, unknown> = {}) => ({
  project_id: PROJECT,
  id,
  ended_at: '2026-01-15T09:59:01Z',
  output: '4',
  summary: {},
  ...fields,
});

/** A valid whole call, as a batch of `POST /v2/acme/demo/calls/complete` has it. */
export const aWholeCall = (id: string, fields: Record<string, unknown> = {}) => ({
  ...aCallStart(id),
  ...aCallEnd(id),
  ...fields,
});
