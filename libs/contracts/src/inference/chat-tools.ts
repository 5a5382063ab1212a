import { isJsonObject } from '../json/json-value.js';
import { enumIssue, issue, tooFewIssue, type Issue } from '../issues/issue.js';
import { fromRule } from '../validation/rule.js';
import { anyTextRule, prefixed } from './chat-rules.js';

/** A function that the model may call. */
export interface ChatTool {
  type?: 'function' | null;
  function: {
    /** 1..128 characters. */
    name: string;
    description?: string | null;
    /** JSON Schema of the arguments; absent: an object of any content. */
    parameters?: Record<string, unknown> | null;
    /** The arguments are held to the schema whatever this says. */
    strict?: boolean | null;
  };
}

/** `none`, `auto`, `required`, or the one function to call. */
export type ToolChoice = 'none' | 'auto' | 'required' | { type?: 'function' | null; function: { name: string } };

const NAME = anyTextRule({ min: 1, max: 128 });
const TEXT = anyTextRule();
const WORDS = ['none', 'auto', 'required'];

/** At least one tool. */
export const IsTools = (): PropertyDecorator =>
  fromRule({
    name: 'isTools',
    issues(value) {
      if (!Array.isArray(value)) return [issue('list_type')];
      if (value.length === 0) return [tooFewIssue(1)];
      return value.flatMap((tool, index) => prefixed(index, toolIssues(tool)));
    },
    schema: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['function'],
        properties: {
          type: { type: 'string', enum: ['function'], default: 'function', 'x-listed-default': 'function' },
          function: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string', minLength: 1, maxLength: 128 },
              description: { type: 'string' },
              parameters: { type: 'object', additionalProperties: true },
              strict: { type: 'boolean' },
            },
          },
        },
      },
    },
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
            type: { type: 'string', enum: ['function'] },
            function: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
          },
        },
      ],
    },
  });
