/**
 * Version 7 of Vercel's AI SDK, unmodified, which needs Node.js 22: a call of a tool and an answer, traced to Hone. Its
 * spans become whole calls, which are compared.
 *
 *   <node> ai-sdk.mjs <url> <key>
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { argv } from 'node:process';

import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { OpenTelemetry } from '@ai-sdk/otel';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { generateText, isStepCount, registerTelemetry, tool } from 'ai';
import { z } from 'zod';

const [url, key] = argv.slice(2);
const PROJECT = 'local/ai-sdk';
const CALL = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } };
const USAGE = {
  ...{ prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 },
  prompt_tokens_details: { cached_tokens: 8 },
};
const TEXT = 'It is sunny in Oslo.';
const PRICES = { prompt_token_cost: 0.001, completion_token_cost: 0.002, effective_date: '2020-01-01T00:00:00Z' };

const model = createServer((request, response) => void answer(request, response));
/** A call of the tool, then text. */
async function answer(request, response) {
  let body = '';
  for await (const part of request.setEncoding('utf8')) body += part;
  const isAnswered = JSON.parse(body).messages.some(({ role }) => role === 'tool');
  const message = isAnswered
    ? { role: 'assistant', content: TEXT }
    : { role: 'assistant', content: null, tool_calls: [CALL] };
  const choices = [{ index: 0, message, finish_reason: isAnswered ? 'stop' : 'tool_calls' }];
  const completion = { id: 'a', object: 'chat.completion', created: 1, model: 'm-2026', choices, usage: USAGE };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion));
}
model.listen(0, '127.0.0.1');
await once(model, 'listening');

await post('/cost/create', { project_id: PROJECT, costs: { 'm-2026': PRICES } });
const exporter = new OTLPTraceExporter({
  url: `${url}/otel/v1/traces`,
  headers: { authorization: `Bearer ${key}`, 'hone-project': PROJECT },
});
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();
registerTelemetry(new OpenTelemetry());

const openai = createOpenAICompatible({ name: 'openai', baseURL: `http://127.0.0.1:${model.address().port}/v1` });
const weather = tool({
  description: 'Weather of a city',
  inputSchema: z.object({ city: z.string() }),
  execute: () => ({ sky: 'sunny' }),
});
await generateText({
  ...{ model: openai('m'), system: 'Be brief.', prompt: 'Weather in Oslo?', temperature: 0.5 },
  ...{ tools: { weather }, stopWhen: isStepCount(3) },
});
await provider.shutdown();
model.close();

const lines = await post('/calls/stream_query', { project_id: PROJECT, include_costs: true });
const calls = lines
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
  .sort((a, b) => (a.started_at < b.started_at ? -1 : 1));
const [first, second] = calls.filter(({ inputs }) => inputs.tools);
const [run] = calls.filter(({ parent_id }) => parent_id === null);
const [called] = calls.filter(({ output }) => output?.sky === 'sunny');

const system = { role: 'system', content: 'Be brief.' };
const user = { role: 'user', content: 'Weather in Oslo?' };
const asked = { role: 'assistant', content: null, tool_calls: [CALL] };
const result = { role: 'tool', tool_call_id: 'call_1', content: '{"sky":"sunny"}' };
assert.deepEqual(first.inputs.messages, [system, user]);
assert.deepEqual([first.inputs.model, first.inputs.temperature], ['m', 0.5]);
assert.equal(first.inputs.tools[0].type, 'function');
assert.deepEqual(first.inputs.tools[0].function.name, 'weather');
assert.deepEqual(first.inputs.tools[0].function.parameters.required, ['city']);
const choice = (message, finish_reason) => ({ model: 'm-2026', choices: [{ index: 0, message, finish_reason }] });
assert.deepEqual(first.output, choice(asked, 'tool_calls'));
assert.deepEqual(second.inputs.messages, [system, user, asked, result]);
assert.deepEqual(second.output, choice({ role: 'assistant', content: TEXT }, 'stop'));
assert.deepEqual(called.inputs, { city: 'Oslo' });
for (const { summary } of [first, second]) {
  assert.deepEqual(summary.usage, { 'm-2026': { requests: 1, ...USAGE } });
  assert.equal(summary.hone.costs['m-2026'].total_cost.toFixed(6), (20 * 0.001 + 5 * 0.002).toFixed(6));
}
assert.equal(run.summary.usage, undefined);
for (const call of calls) assert.deepEqual([call.trace_id, call.exception], [run.trace_id, null]);
console.log('calls');

async function post(path, body) {
  const headers = {
    authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}`,
    'content-type': 'application/json',
  };
  const got = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!got.ok) throw new Error(`${path}: ${got.status} ${await got.text()}`);
  return got.text();
}
