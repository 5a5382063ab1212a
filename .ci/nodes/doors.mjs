/**
 * Clients whose default is not chat completions, unmodified, of releases that need Node.js 22, against a running Hone:
 * the OpenAI SDK, OpenAI's agents and Vercel's AI SDK with the providers of OpenAI and of Anthropic. Each with a model of the
 * embedded engine, of an upstream that speaks chat completions alone, and of one that speaks every door; then with tools
 * that only the last can run.
 *
 *   <node> doors.mjs <url> <key> <port of the upstreams>
 */
import assert from 'node:assert/strict';
import { argv } from 'node:process';

import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import {
  Agent,
  run,
  setDefaultOpenAIClient,
  setTracingDisabled,
  tool as agentTool,
  webSearchTool,
} from '@openai/agents';
import { generateText, Output, stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';

import { SEARCHER, Upstreams } from './upstreams.mjs';

const [url, key, port] = argv.slice(2);
const MODELS = ['hone-tiny', 'chats/hone-tiny', 'native/hone-tiny'];
/** What the model of the fake upstream says. */
const SAID = 'w0 w1 w2 w3 w4 w5 w6 w7';
const Animal = z.object({ name: z.string().max(8), legs: z.number().int().min(0).max(8) });
const FUNCTION = {
  ...{ type: 'function', name: 'get_weather', description: 'Tells the weather in a city.', strict: true },
  parameters: {
    ...{ type: 'object', required: ['city'], additionalProperties: false },
    properties: { city: { type: 'string', maxLength: 12 } },
  },
};

const upstreams = await Upstreams.start(port, { url, key });
const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: key });
const providers = [createOpenAI, createAnthropic].map((create) => create({ baseURL: `${url}/v1`, apiKey: key }));
setDefaultOpenAIClient(openai);
setTracingDisabled(true);
for (const model of MODELS) {
  await sdk(model);
  await agents(model);
  for (const provider of providers) await aiSdk(provider(model));
}
await builtInTools();
const forms = ['fake', 'native'].flatMap((name) => [`${name}/v1/messages`, `${name}/v1/responses`]);
assert.deepEqual([...upstreams.asked].sort(), ['chats/v1/chat/completions', ...forms, 'native/v1/completions'].sort());
await upstreams.stop();
console.log('answers');

async function sdk(model) {
  const asked = { model, input: 'repeat: cat', temperature: 0 };
  const response = await openai.responses.create(asked);
  assert.deepEqual([response.status, response.output_text, response.usage.total_tokens], ['completed', 'cat', 12]);

  const types = new Set();
  const stream = openai.responses.stream(asked).on('event', ({ type }) => types.add(type));
  assert.equal((await stream.finalResponse()).output_text, 'cat');
  assert.ok(types.has('response.output_text.delta') && types.has('response.completed'));

  const parsed = await openai.responses.parse({ ...asked, text: { format: zodTextFormat(Animal, 'animal') } });
  assert.deepEqual(Animal.parse(JSON.parse(parsed.output_text)), parsed.output_parsed);

  const tool_choice = { type: 'function', name: 'get_weather' };
  const { id, output } = await openai.responses.create({ ...asked, tools: [FUNCTION], tool_choice });
  assert.equal(output[0].type, 'function_call');
  const result = { type: 'function_call_output', call_id: output[0].call_id, output: 'sunny' };
  const next = await openai.responses.create({
    ...asked,
    previous_response_id: id,
    input: [result],
    tools: [FUNCTION],
  });
  assert.deepEqual([next.status, next.previous_response_id], ['completed', id]);
  assert.equal((await openai.responses.retrieve(next.id)).output_text, next.output_text);

  if (model.startsWith('chats/')) return; // it has no completions
  const prompt = '<|bos|><|user|>repeat: cat<|end|><|assistant|>';
  assert.equal((await openai.completions.create({ model, prompt, temperature: 0 })).choices[0].text, 'cat');
}

async function agents(model) {
  const plain = new Agent({ name: 'Repeater', model, modelSettings: { temperature: 0 } });
  assert.equal((await run(plain, 'repeat: cat')).finalOutput, 'cat');

  const streamed = await run(plain, 'repeat: dog', { stream: true });
  let text = '';
  for await (const piece of streamed.toTextStream()) text += piece;
  await streamed.completed;
  assert.deepEqual([text, streamed.finalOutput], ['dog', 'dog']);

  const cities = [];
  const getWeather = agentTool({
    name: 'get_weather',
    description: 'Tells the weather in a city.',
    parameters: z.object({ city: z.string().max(12) }),
    execute: ({ city }) => cities.push(city) && 'sunny',
  });
  const modelSettings = { temperature: 0, toolChoice: 'required' };
  const caller = new Agent({ name: 'Caller', model, modelSettings, tools: [getWeather] });
  const { finalOutput } = await run(caller, 'What is the weather in Oslo?', { maxTurns: 3 });
  assert.deepEqual([cities.length, typeof finalOutput], [1, 'string']);
}

async function aiSdk(model) {
  const { text, usage } = await generateText({ model, prompt: 'repeat: cat', temperature: 0 });
  assert.deepEqual([text, usage.totalTokens], ['cat', 12]);

  const stream = streamText({ model, prompt: 'repeat: dog', temperature: 0 });
  let streamed = '';
  for await (const piece of stream.textStream) streamed += piece;
  assert.deepEqual([streamed, await stream.finishReason], ['dog', 'stop']);

  const { output } = await generateText({ model, prompt: 'An animal.', output: Output.object({ schema: Animal }) });
  assert.deepEqual(Animal.parse(output), output);

  const cities = [];
  const getWeather = tool({
    description: 'Tells the weather in a city.',
    inputSchema: z.object({ city: z.string().max(12) }),
    execute: ({ city }) => cities.push(city) && 'sunny',
  });
  const { steps } = await generateText({
    ...{ model, temperature: 0, prompt: 'What is the weather in Oslo?', tools: { get_weather: getWeather } },
    ...{ toolChoice: 'required', stopWhen: stepCountIs(2) },
  });
  assert.deepEqual([steps.length, cities.length], [2, 2]);
}

/** Web search and thinking, which an upstream that speaks the door has. */
async function builtInTools() {
  const searcher = new Agent({ name: 'Searcher', model: SEARCHER, tools: [webSearchTool()] });
  const { finalOutput, newItems } = await run(searcher, 'What is new?');
  assert.equal(finalOutput, SAID);
  assert.ok(newItems.some(({ rawItem }) => rawItem.providerData?.type === 'web_search_call'));

  const [byOpenai, byAnthropic] = providers;
  await search(byOpenai(SEARCHER), byOpenai.tools.webSearch({}));
  await search(byAnthropic(SEARCHER), byAnthropic.tools.webSearch_20250305({}));
}

async function search(model, web_search) {
  const { text, content, usage } = await generateText({ model, prompt: 'What is new?', tools: { web_search } });
  const types = content.map(({ type }) => type);
  assert.deepEqual(
    [text, usage.totalTokens, types.includes('tool-call'), types.includes('reasoning')],
    [SAID, 18, true, true],
  );

  const stream = streamText({ model, prompt: 'What is new?', tools: { web_search } });
  let streamed = '';
  for await (const piece of stream.textStream) streamed += piece;
  assert.equal(streamed, SAID);
  assert.ok((await stream.toolCalls).some(({ toolName }) => toolName === 'web_search'));
}
