import { isJsonObject } from '../json/json-value.js';
import { describedProperties, describeType, schemaRef } from '../schema/descriptions.js';
import { enumIssue, issue, tooFewIssue, type Issue } from '../issues/issue.js';
import { fromRule } from '../validation/rule.js';
import { anyTextRule, prefixed } from './chat-rules.js';

/** A tool that the model may call: a function. */
export interface ChatTool {
  /** Always `function`. Absent or null: `function`. */
  type?: 'function' | null;
  /** The function. */
  function: ChatFunction;
}

/** A function that the model may call. */
export interface ChatFunction {
  /** Name of the function, 1 to 128 characters, unique among the tools. */
  name: string;
  /** What the function does, for the model. Absent or null: nothing is said. */
  description?: string | null;
  /** JSON schema of the arguments. Absent or null: an object of any content. */
  parameters?: Record<string, unknown> | null;
  /** Without effect: the arguments always fit their schema. */
  strict?: boolean | null;
}

/** `none`, `auto`, `required`, or the one function to call. */
export type ToolChoice = 'none' | 'auto' | 'required' | { type?: 'function' | null; function: { name: string } };

const NAME = anyTextRule({ min: 1, max: 128 });
const TEXT = anyTextRule();
const WORDS = ['none', 'auto', 'required'];
const FUNCTION_TYPE = {
  type: ['string', 'null'],
  enum: ['function', null],
  default: 'function',
  'x-listed-default': 'function',
};

const FUNCTION = {
  name: 'ChatFunction',
  schema: {
    type: 'object',
    description: describeType('ChatFunction'),
    required: ['name'],
    properties: describedProperties('ChatFunction', {
      name: NAME.schema,
      description: { type: ['string', 'null'] },
      parameters: { type: ['object', 'null'], additionalProperties: true },
      strict: { type: ['boolean', 'null'] },
    }),
  },
};
const TOOL = {
  name: 'ChatTool',
  schema: {
    type: 'object',
    description: describeType('ChatTool'),
    required: ['function'],
    properties: describedProperties('ChatTool', { type: FUNCTION_TYPE, function: schemaRef(FUNCTION) }),
  },
};

/** At least one tool. */
export const IsTools = (): PropertyDecorator =>
  fromRule({
    name: 'isTools',
    issues(value) {
      if (!Array.isArray(value)) return [issue('list_type')];
      if (value.length === 0) return [tooFewIssue(1)];
      return value.flatMap((tool, index) => prefixed(index, toolIssues(tool)));
    },
    schema: { type: 'array', minItems: 1, items: schemaRef(TOOL) },
    parts: () => [TOOL, FUNCTION],
  });

function toolIssues(tool: unknown): Issue[] {
  if (!isJsonObject(tool)) return [issue('dict_type')];
  const { type, function: called } = tool as Record<string, unknown>;
  return [...typeIssues(type), ...prefixed('function', functionIssues(called))];
}

function typeIssues(type: unknown): Issue[] {
  return type === undefined || type === null || type === 'function' ? [] : [enumIssue(['function'], ['type'])];
}

function functionIssues(called: unknown): Issue[] {
  if (called === undefined) return [issue('missing')];
  if (!isJsonObject(called)) return [issue('dict_type')];
  const { name, description, parameters, strict } = called as Record<string, unknown>;
  const optional = (value: unknown, issues: () => Issue[]) => (value === undefined || value === null ? [] : issues());
  return [
    ...prefixed('name', name === undefined ? [issue('missing')] : NAME.issues(name)),
    ...prefixed(
      'description',
      optional(description, () => TEXT.issues(description)),
    ),
    ...prefixed(
      'parameters',
      optional(parameters, () => (isJsonObject(parameters) ? [] : [issue('dict_type')])),
    ),
    ...prefixed(
      'strict',
      optional(strict, () => (typeof strict === 'boolean' ? [] : [issue('bool_type')])),
    ),
  ];
}

/** A word or the function to call; its name is judged together with the tools. */
export const IsToolChoice = (): PropertyDecorator =>
  fromRule({
    name: 'isToolChoice',
    issues(value) {
      if (isJsonObject(value)) return typeIssues((value as Record<string, unknown>)['type']);
      return typeof value === 'string' && WORDS.includes(value) ? [] : [enumIssue(WORDS)];
    },
    schema: {
      anyOf: [
        { type: 'string', enum: WORDS },
        {
          type: 'object',
          required: ['function'],
          properties: {
            type: { ...FUNCTION_TYPE, description: 'Always `function`. Absent or null: `function`.' },
            function: {
              type: 'object',
              description: 'The function to call.',
              required: ['name'],
              properties: { name: { type: 'string', description: 'Name of one of the `tools`.' } },
            },
          },
        },
      ],
    },
  });
