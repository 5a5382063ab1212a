import { type TestResponse } from '@hone/testing';
import { describeOpenApi } from '@hone/testing/openapi';

import { connectedClient } from '../connected-client.fixture.js';
import { type ContractApp, startContractApp } from './contract.fixture.js';

type Body = Record<string, unknown>;
const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Numbers whose limits depend on settings and key, so the document does not have them. */
const BOUNDED: Readonly<Record<string, number>> = { n: 2, top_logprobs: 1, prompt_logprobs: 1, priority: 0 };

/** Adapts a body to the rules that compare fields with each other, or with the settings of the gateway. */
function adjust(body: Body): void {
  if (typeof body['model'] === 'string' && body['model'] !== '' && body['model'].length <= 256) body['model'] = 'ok';
  for (const [name, value] of Object.entries(BOUNDED)) if (Number.isInteger(body[name])) body[name] = value;
  if (Number.isInteger(body['min_tokens'])) delete body['min_tokens'];
  if (body['continue_final_message'] === true) body['continue_final_message'] = false;
  if (isObject(body['repetition_detection'])) delete body['repetition_detection']['min_pattern_size'];
  adjustTools(body);
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

const calledOf = ({ type, function: called, custom }: Body): unknown => (type === 'custom' ? custom : called);
const objectsIn = (list: unknown): Body[] => (Array.isArray(list) ? list.filter(isObject) : []);

/** The request is valid, but no target of the model can honour it. */
const isUnsupported = ({ json }: TestResponse): boolean =>
  json().detail.every(({ type }: { type: string }) => type === 'unsupported_parameter') ||
  json().error.code === 'unsupported_parameter';

describe('the OpenAPI document of the gateway', () => {
  let gateway: ContractApp;
  afterAll(() => gateway.close());

  describeOpenApi(
    async () => {
      gateway = await startContractApp();
      const admin = await gateway.user('root', { isAdmin: true });
      return { client: connectedClient(gateway.app, `Bearer ${admin.key}`) };
    },
    {
      createChatCompletion: { adjust, alsoAccepted: [400, 402, 429, 502, 503], isDocumentedRefusal: isUnsupported },
      putUsageLimits: {},
    },
  );
});
