import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { startTestApp, type TestApp } from '@hone/testing';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { generateText, stepCountIs, tool } from 'ai';
import { z } from 'zod';

import { PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

interface Call {
  started_at: string;
  op_name: string;
  id: string;
  parent_id: string | null;
  trace_id: string;
  exception: string | null;
  inputs: Record<string, unknown>;
  output: Record<string, unknown>;
  summary: { usage?: Record<string, unknown> };
}

const CALL = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } };
const USAGE = {
  prompt_tokens: 20,
  completion_tokens: 5,
  total_tokens: 25,
  prompt_tokens_details: { cached_tokens: 8 },
};

/** Answers a call of the tool, then text; a prompt that says so is refused. */
function upstream(body: { messages: { role: string; content: unknown }[] }): [number, object] {
  if (JSON.stringify(body.messages).includes('refuse')) return [400, { error: { message: 'not this one' } }];
  const isAnswered = body.messages.some(({ role }) => role === 'tool');
  const message = isAnswered
    ? { role: 'assistant', content: 'It is sunny in Oslo.' }
    : { role: 'assistant', content: null, tool_calls: [CALL] };
  const choices = [{ index: 0, message, finish_reason: isAnswered ? 'stop' : 'tool_calls' }];
  return [200, { id: 'a', object: 'chat.completion', created: 1, model: 'gpt-4o', choices, usage: USAGE }];
}

describe('spans of the package ai', () => {
  let trace: TestApp;
  let model: Server;
  let provider: NodeTracerProvider;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    await trace.app.listen(0, '127.0.0.1');
    const { key } = await trace.user('vera', { roles: { acme: 'writer' } });
    const exporter = new OTLPTraceExporter({
      url: `${await trace.app.getUrl()}/otel/v1/traces`,
      headers: { authorization: `Bearer ${key}`, 'hone-project': PROJECT },
    });
    provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    provider.register(); // without a context a span has no parent
    model = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.on('end', () => {
        const [status, answer] = upstream(JSON.parse(body));
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      });
    });
    await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    model.close();
    await provider.shutdown();
    await trace.close();
  });

  async function ask(prompt: string) {
    const { port } = model.address() as AddressInfo;
    const openai = createOpenAICompatible({ name: 'openai', baseURL: `http://127.0.0.1:${port}/v1` });
    return generateText({
      model: openai('gpt-4o'),
      system: 'Be brief.',
      prompt,
      maxRetries: 0,
      temperature: 0,
      stopWhen: stepCountIs(2),
      tools: {
        weather: tool({
          description: 'Tells the weather in a city.',
          inputSchema: z.object({ city: z.string() }),
          execute: () => ({ sky: 'sunny' }),
        }),
      },
      experimental_telemetry: {
        isEnabled: true,
        tracer: provider.getTracer('ai'),
        functionId: 'forecast',
        metadata: { sessionId: 'talk-7' },
      },
    });
  }

  /** The root of a trace first, then calls by when they began; those of one millisecond by how much they were asked. */
  async function calls(): Promise<Call[]> {
    await provider.forceFlush();
    const { text } = await trace.as(trace.writer).post('/calls/stream_query', {
      project_id: PROJECT,
      sort_by: [{ field: 'started_at', direction: 'asc' }],
      include_costs: true,
    });
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Call)
      .sort(
        (one, other) =>
          Number(one.parent_id !== null) - Number(other.parent_id !== null) ||
          one.started_at.localeCompare(other.started_at) ||
          JSON.stringify(one.inputs).length - JSON.stringify(other.inputs).length,
      );
  }

  it('are calls with messages, tools, usage and cost', async () => {
    expect((await ask('How is Oslo?')).text).toBe('It is sunny in Oslo.');
    const [whole, first, used, second, ...others] = await calls();
    expect(others).toEqual([]);
    expect(whole).toMatchObject({
      ...{ op_name: 'ai.generateText', parent_id: null, thread_id: 'talk-7', exception: null },
      inputs: { system: 'Be brief.', prompt: 'How is Oslo?' },
      output: { choices: [{ message: { role: 'assistant', content: 'It is sunny in Oslo.' } }] },
    });
    // The calls below have the tokens.
    expect(whole?.summary.usage).toBeUndefined();
    const question = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'How is Oslo?' }] },
    ];
    const parent = { parent_id: whole?.id, trace_id: whole?.trace_id, thread_id: 'talk-7', exception: null };
    expect(first).toMatchObject({
      ...parent,
      op_name: 'ai.generateText.doGenerate',
      inputs: {
        ...{ model: 'gpt-4o', temperature: 0, messages: question },
        tools: [{ type: 'function', function: { name: 'weather', description: 'Tells the weather in a city.' } }],
      },
      output: {
        choices: [{ message: { role: 'assistant', content: null, tool_calls: [CALL] }, finish_reason: 'tool_calls' }],
      },
      summary: {
        usage: { 'gpt-4o': { ...USAGE, completion_tokens_details: { reasoning_tokens: 0 } } },
        // 12 fresh tokens, 8 from the cache, 5 of the answer, at the prices of the built-in list.
        hone: { costs: { 'gpt-4o': { total_cost: expect.closeTo(12 * 2.5e-6 + 8 * 1.25e-6 + 5 * 1e-5, 12) } } },
      },
    });
    expect(used).toMatchObject({
      ...parent,
      ...{ op_name: 'ai.toolCall', inputs: { city: 'Oslo' }, output: { sky: 'sunny' } },
    });
    expect(second).toMatchObject({
      ...parent,
      inputs: {
        messages: [
          ...question,
          { role: 'assistant', tool_calls: [CALL] },
          { role: 'tool', tool_call_id: 'call_1', content: expect.stringContaining('sunny') },
        ],
      },
      output: { choices: [{ message: { content: 'It is sunny in Oslo.' }, finish_reason: 'stop' }] },
    });
  });

  it('have the exception of a request that failed', async () => {
    await expect(ask('refuse this')).rejects.toThrow('not this one');
    const failed = (await calls()).filter(({ exception }) => exception !== null);
    expect(failed.map(({ op_name }) => op_name)).toEqual(['ai.generateText', 'ai.generateText.doGenerate']);
    expect(failed[1]).toMatchObject({
      exception: expect.stringContaining('not this one'),
      inputs: { messages: [expect.anything(), { role: 'user', content: [{ type: 'text', text: 'refuse this' }] }] },
    });
  });
});
