import { createHash } from 'node:crypto';

import { newId } from '@hone/database';

const IN_TRACE = 5;
const VALUE_CHARACTERS = 850;

const hash = (seed) => createHash('sha256').update(String(seed)).digest('hex');

/** Text that compresses about as prose does, different for every seed. */
function prose(seed, characters) {
  let text = '';
  for (let at = 0; text.length < characters; at++)
    text += `${hash(`${seed} ${at}`).slice(0, 24)} and the answer that was asked for. `;
  return text.slice(0, characters);
}

/**
 * Finished calls of about 2 KiB each, five to a trace, as a client that calls a model writes them.
 *
 * @param count a multiple of five
 */
export function finishedCalls(seed, count) {
  const calls = [];
  for (let at = 0; at < count; at++) {
    const root = at % IN_TRACE === 0 ? undefined : calls[at - (at % IN_TRACE)];
    const startedMs = Date.now();
    calls.push({
      id: newId(),
      op_name: `hone:///bench/calls/op/step-${at % 7}:v${seed % 3}`,
      trace_id: root?.trace_id ?? newId(),
      parent_id: root?.id ?? null,
      started_at: new Date(startedMs).toISOString(),
      ended_at: new Date(startedMs + 750).toISOString(),
      attributes: { env: 'production', release: `2026.${seed % 12}` },
      inputs: { model: 'large-1', messages: [{ role: 'user', content: prose(`${seed} ${at} in`, VALUE_CHARACTERS) }] },
      output: { role: 'assistant', content: prose(`${seed} ${at} out`, VALUE_CHARACTERS) },
      summary: { usage: { 'large-1': { requests: 1, prompt_tokens: 211 + at, completion_tokens: 190 } } },
    });
  }
  return calls;
}

/** The same content as the columns of rows. */
export const callRow = (call) => ({
  ...call,
  attributes: JSON.stringify(call.attributes),
  inputs: JSON.stringify(call.inputs),
  output: JSON.stringify(call.output),
  summary: JSON.stringify(call.summary),
});

const VALUES = 'attributes_text, inputs_text, output_text, summary_text';

/** The bare peer of a batch: plain inserts without validation, upserts or answers. `$2` project, `$3` user. */
export const INSERT_BATCH = {
  name: 'insert_calls',
  text: `WITH row AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset($1::jsonb) AS row (id text, op_name text, trace_id text, parent_id text,
        started_at timestamptz, ended_at timestamptz, attributes text, inputs text, output text, summary text)),
    stored AS (
      INSERT INTO call_values (project_id, id, ${VALUES}) SELECT $2::uuid, id, attributes, inputs, output, summary FROM row)
    INSERT INTO calls (project_id, id, svc_user_id, op_name, trace_id, parent_id, started_at, ended_at)
    SELECT $2::uuid, id, $3::uuid, op_name, trace_id, parent_id, started_at, ended_at FROM row`,
};
