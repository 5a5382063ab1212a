import { variableText } from '@hone/contracts';
import { type TestResponse } from '@hone/testing';
import { describeOpenApi } from '@hone/testing/openapi';

import { PromptObjects } from '../clients/prompt-objects.fixture.js';
import { connectedClient } from '../connected-client.fixture.js';
import { EmbeddingServer } from '../embedding-server.fixture.js';
import { MediaServer } from '../media/media-server.fixture.js';
import { CAT, CHAT, type ContractApp, startContractApp } from './contract.fixture.js';

type Body = Record<string, unknown>;
const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Numbers whose limits depend on settings and key, so the document does not have them. */
const BOUNDED: Readonly<Record<string, number>> = { n: 2, top_logprobs: 1, prompt_logprobs: 1, priority: 0 };

/** Adapts a body to the rules that compare fields with each other, or with the settings of the gateway. */
function adjust(body: Body): void {
  adjustModel(body, 'ok');
  adjustPrompt(body, 'messages');
  for (const [name, value] of Object.entries(BOUNDED)) if (Number.isInteger(body[name])) body[name] = value;
  if (Number.isInteger(body['min_tokens'])) delete body['min_tokens'];
  if (body['continue_final_message'] === true) body['continue_final_message'] = false;
  if (isObject(body['repetition_detection'])) delete body['repetition_detection']['min_pattern_size'];
  adjustTools(body);
}

/** The same of a body of messages: distinct names of tools, a choice that fits them, and no call without its result. */
function adjustMessage(body: Body): void {
  adjustModel(body, 'ok');
  adjustPrompt(body, 'messages');
  const tools = objectsIn(body['tools']);
  for (const [index, one] of tools.entries())
    if (typeof one['name'] === 'string' && one['name']) one['name'] = `f${index}`;
  const { tool_choice: choice, messages } = body;
  if (isObject(choice)) {
    if (Array.isArray(body['tools']) && tools.length === 0) delete body['tools'];
    if (!body['tools'] && ['any', 'tool'].includes(choice['type'] as string)) delete body['tool_choice'];
    if (choice['type'] === 'tool' && typeof choice['name'] === 'string') choice['name'] = 'f0';
  }
  if (Array.isArray(messages) && messages.length > 0) messages.push({ role: 'user', content: 'Go on.' });
}

/** The prompt is one that is there, without variables; it may be all that is said, which the document does not have. */
function adjustPrompt(body: Body, list: string): void {
  const { prompt, [list]: own } = body;
  if (!isObject(prompt)) return;
  if (Array.isArray(own) && own.length === 0) delete body[list];
  if (typeof prompt['id'] === 'string' && prompt['id'] !== '') prompt['id'] = 'greeting';
  for (const name of ['version', 'label'])
    if (typeof prompt[name] === 'string' && prompt[name] !== '') prompt[name] = 'latest';
  const { variables } = prompt;
  if (isObject(variables) && Object.values(variables).every((value) => variableText(value) !== undefined))
    prompt['variables'] = {};
}

/** Distinct names; a choice names the first tool. */
function adjustTools({ tools, functions, tool_choice: choice, function_call: call }: Body): void {
  const [first] = objectsIn(tools);
  const named = [...objectsIn(tools).map(calledOf), ...objectsIn(functions)].filter(isObject);
  for (const [index, one] of named.entries()) if (typeof one['name'] === 'string') one['name'] = `f${index}`;
  if (isObject(call) && typeof call['name'] === 'string') call['name'] = 'f0';
  if (first === undefined || !isObject(choice)) return;
  const allowed = choice['allowed_tools'];
  if (choice['type'] !== 'allowed_tools') nameTool(choice, first);
  else if (isObject(allowed)) for (const one of objectsIn(allowed['tools'])) nameTool(one, first);
}

/** Only a choice that names a tool: others stay as they were drawn. */
function nameTool(choice: Body, tool: Body): void {
  const called = calledOf(choice);
  if (!isObject(called) || typeof called['name'] !== 'string') return;
  delete choice['custom'];
  delete choice['function'];
  const type = tool['type'] === 'custom' ? 'custom' : 'function';
  Object.assign(choice, { type, [type]: { name: 'f0' } });
}

/** Items, tools and choices of a response are of kinds that are not drawn: the specs of the door have them. */
function adjustResponse(body: Body): void {
  adjustPrompt(body, 'input');
  if (Array.isArray(body['input'])) body['input'] = [{ role: 'user', content: 'Hello.' }];
  if (isObject(body['tools']) || Array.isArray(body['tools'])) body['tools'] = adjustedTools(body['tools']);
  for (const name of ['tool_choice', 'include', 'previous_response_id']) delete body[name];
  const { text } = body;
  if (isObject(text) && isObject(text['format']) && text['format']['type'] === 'json_schema') {
    text['format']['schema'] = { type: 'object' };
  }
  if (Number.isInteger(body['top_logprobs']) && Number(body['top_logprobs']) > 0) body['top_logprobs'] = 1;
  adjustModel(body, 'ok');
}

const adjustedTools = (tools: unknown): unknown =>
  Array.isArray(tools) && tools.every(isObject)
    ? tools.map((_tool, at) => ({ type: 'function', name: `f${at}` }))
    : tools;

/** Prompts that are not empty, of tokens that there are, and one answer each. */
function adjustCompletion(body: Body): void {
  adjustModel(body, 'hone-tiny');
  const { prompt } = body;
  if (typeof prompt === 'string' || (Array.isArray(prompt) && prompt.length > 0 && isPrompt(prompt)))
    body['prompt'] = 'a';
  if (Number.isInteger(body['max_tokens']) && Number(body['max_tokens']) > 2) body['max_tokens'] = 2;
  for (const [name, value] of Object.entries({ n: 2, logprobs: 1 }))
    if (Number.isInteger(body[name])) body[name] = value;
  if (body['stream'] !== true) delete body['stream_options'];
  if (isObject(body['logit_bias'])) delete body['logit_bias'];
}

function isPrompt(prompt: readonly unknown[]): boolean {
  const isToken = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
  if (typeof prompt[0] === 'number') return prompt.every(isToken);
  if (typeof prompt[0] === 'string') return prompt.every((item) => typeof item === 'string');
  return prompt.every((item) => Array.isArray(item) && item.length > 0 && item.every(isToken));
}

function adjustModel(body: Body, model: string): void {
  // `models` may stand in its place, which a schema with a required `model` does not say.
  if (typeof body['model'] !== 'string') delete body['models'];
  if (typeof body['model'] === 'string' && body['model'] !== '' && body['model'].length <= 256) body['model'] = model;
}

const calledOf = ({ type, function: called, custom }: Body): unknown => (type === 'custom' ? custom : called);
const objectsIn = (list: unknown): Body[] => (Array.isArray(list) ? list.filter(isObject) : []);

/** The request is valid, but no target of the model can honour it. */
const isUnsupported = ({ json }: TestResponse): boolean =>
  json().detail.every(({ type }: { type: string }) => type === 'unsupported_parameter') ||
  (json().error.code ?? json().error.details?.error_code) === 'unsupported_parameter';

const ANSWERED = { alsoAccepted: [400, 402, 429, 502, 503], isDocumentedRefusal: isUnsupported };
/** Of the documented examples. */
const EMBEDDER = 'text-embedding-3-small';
const PAINTER = 'gpt-image-1';
const SPEAKER = 'gpt-4o-mini-tts';

describe('the OpenAPI document of the gateway', () => {
  const embeddings = new EmbeddingServer();
  const media = new MediaServer();
  let gateway: ContractApp;
  afterAll(async () => {
    await gateway.close();
    await Promise.all([embeddings.stop(), media.stop()]);
  });

  describeOpenApi(
    async () => {
      const models = [{ name: EMBEDDER, kind: 'embedding' }];
      const upstream = { name: 'embeds', kind: 'openai-compatible', base_url: await embeddings.start(), models };
      const makers = [
        { name: PAINTER, kind: 'image' },
        { name: SPEAKER, kind: 'speech' },
      ];
      const makes = { ...upstream, name: 'makes', base_url: await media.start(), models: makers };
      gateway = await startContractApp({}, upstream, makes);
      const admin = await gateway.user('root', { isAdmin: true });
      const client = connectedClient(gateway.app, `Bearer ${admin.key}`);
      await client.post(CHAT, CAT);
      const [own] = await gateway.sql<{ id: string }>(`SELECT id FROM projects`);
      const greeting = { messages: [{ role: 'user', content: 'Hello.' }], model: 'ok' };
      await new PromptObjects(gateway, admin.id).publish(own!.id, 'greeting', greeting);
      return { client };
    },
    {
      countMessageTokens: { adjust: adjustMessage, isDocumentedRefusal: isUnsupported },
      createMessage: { adjust: adjustMessage, ...ANSWERED },
      createChatCompletion: { adjust, ...ANSWERED },
      createResponse: { adjust: adjustResponse, ...ANSWERED },
      createCompletion: { adjust: adjustCompletion, ...ANSWERED },
      createImages: { adjust: (body) => adjustModel(body, PAINTER), ...ANSWERED },
      createSpeech: { adjust: (body) => adjustModel(body, SPEAKER), ...ANSWERED },
      createEmbeddings: { adjust: (body) => adjustModel(body, EMBEDDER), ...ANSWERED },
      putUsageLimits: {},
    },
  );
});
