import { enumIssue, type Issue, issue, tooFewIssue } from '../issues/issue.js';
import { isJsonObject } from '../json/index.js';
import { describedProperties, describeType, schemaRef } from '../schema/descriptions.js';
import { fromRule } from '../validation/rule.js';
import { anyTextRule, prefixed } from './chat-rules.js';

/** A tool that the model may call: a function, or a custom tool, which takes a text. */
export interface ChatTool {
  /** `function`, or `custom` where an upstream takes it. Absent or null: `function`. */
  type?: 'function' | 'custom' | null;
  /** The function, of a tool of type `function`. */
  function?: ChatFunction;
  /** The custom tool, of a tool of type `custom`. */
  custom?: CustomTool;
}

/** A function that the model may call. */
export interface ChatFunction {
  /** Name of the function, 1 to 128 characters, unique among the tools. */
  name: string;
  /** What the function does, for the model. Absent or null: nothing is said. */
  description?: string | null;
  /** JSON schema of the arguments. Absent or null: an object of any content. */
  parameters?: Record<string, unknown> | null;
  /** Whether a schema that the embedded engine cannot enforce is refused. Absent or null: false, it leaves out such keywords. */
  strict?: boolean | null;
}

/** A tool that the model calls with a text. Only upstreams have it: the embedded engine refuses it. */
export interface CustomTool {
  /** Name of the tool, 1 to 128 characters, unique among the tools. */
  name: string;
  /** What the tool does, for the model. Absent or null: nothing is said. */
  description?: string | null;
  /** Form of the text, such as a grammar, as the upstream takes it. Absent or null: any text. */
  format?: Record<string, unknown> | null;
}

/** Names one of the tools. */
export interface NamedTool {
  type?: 'function' | 'custom' | null;
  function?: { name: string };
  custom?: { name: string };
}

/** The tools that may be called, of those that the model knows. */
export interface AllowedTools {
  type: 'allowed_tools';
  allowed_tools: { mode: 'auto' | 'required'; tools: NamedTool[] };
}

/** `none`, `auto`, `required`, the one tool to call, or the tools that may be called. */
export type ToolChoice = 'none' | 'auto' | 'required' | NamedTool | AllowedTools;

/** `none`, `auto`, or the one function to call, in the older notation. */
export type FunctionChoice = 'none' | 'auto' | { name: string };

/** The object of a tool that has its name; undefined: it has none. */
export const calledOf = ({ type, function: called, custom }: NamedTool): { name: string } | undefined =>
  type === 'custom' ? custom : called;

export const isAllowedTools = (choice: unknown): choice is AllowedTools =>
  isJsonObject(choice) && choice['type'] === 'allowed_tools';

const NAME = anyTextRule({ min: 1, max: 128 });
const TEXT = anyTextRule();
const WORDS = ['none', 'auto', 'required'];
const TYPES = ['function', 'custom'];
const MODES = ['auto', 'required'];
const FUNCTION_TYPE = {
  type: ['string', 'null'],
  enum: [...TYPES, null],
  default: 'function',
  'x-listed-default': 'function',
};
/** Of a tool, or what names one: the object that its type says. */
const NEEDS_ITS_OBJECT = {
  if: { properties: { type: { const: 'custom' } }, required: ['type'] },
  then: { properties: { custom: {} }, required: ['custom'] },
  else: { properties: { function: {} }, required: ['function'] },
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
const CUSTOM = {
  name: 'CustomTool',
  schema: {
    type: 'object',
    description: describeType('CustomTool'),
    required: ['name'],
    properties: describedProperties('CustomTool', {
      name: NAME.schema,
      description: { type: ['string', 'null'] },
      format: { type: ['object', 'null'], additionalProperties: true },
    }),
  },
};
const TOOL = {
  name: 'ChatTool',
  schema: {
    type: 'object',
    description: describeType('ChatTool'),
    properties: describedProperties('ChatTool', {
      type: FUNCTION_TYPE,
      function: schemaRef(FUNCTION),
      custom: schemaRef(CUSTOM),
    }),
    ...NEEDS_ITS_OBJECT,
  },
};

/** Tools; an empty list counts as absent. */
export const IsTools = (): PropertyDecorator =>
  fromRule({
    name: 'isTools',
    issues(value) {
      if (!Array.isArray(value)) return [issue('list_type')];
      return value.flatMap((tool, index) => prefixed(index, toolIssues(tool)));
    },
    schema: { type: 'array', items: schemaRef(TOOL) },
    parts: () => [TOOL, FUNCTION, CUSTOM],
  });

/** Functions in the older notation; an empty list counts as absent. */
export const IsFunctions = (): PropertyDecorator =>
  fromRule({
    name: 'isFunctions',
    issues(value) {
      if (!Array.isArray(value)) return [issue('list_type')];
      return value.flatMap((one, index) => prefixed(index, functionIssues(one)));
    },
    schema: { type: 'array', items: schemaRef(FUNCTION) },
    parts: () => [FUNCTION],
  });

function toolIssues(tool: unknown): Issue[] {
  if (!isJsonObject(tool)) return [issue('dict_type')];
  const { type, function: called, custom } = tool as Record<string, unknown>;
  if (type === 'custom') return prefixed('custom', customIssues(custom));
  return [...typeIssues(type), ...prefixed('function', functionIssues(called))];
}

function typeIssues(type: unknown): Issue[] {
  return type === undefined || type === null || TYPES.includes(type as string) ? [] : [enumIssue(TYPES, ['type'])];
}

function functionIssues(called: unknown): Issue[] {
  if (called === undefined) return [issue('missing')];
  if (!isJsonObject(called)) return [issue('dict_type')];
  const { parameters, strict, ...named } = called as Record<string, unknown>;
  return [
    ...nameIssues(named),
    ...objectIssues('parameters', parameters),
    ...prefixed(
      'strict',
      optional(strict, () => (typeof strict === 'boolean' ? [] : [issue('bool_type')])),
    ),
  ];
}

function customIssues(custom: unknown): Issue[] {
  if (custom === undefined) return [issue('missing')];
  if (!isJsonObject(custom)) return [issue('dict_type')];
  const { format, ...named } = custom as Record<string, unknown>;
  return [...nameIssues(named), ...objectIssues('format', format)];
}

const nameIssues = ({ name, description }: Record<string, unknown>): Issue[] => [
  ...prefixed('name', name === undefined ? [issue('missing')] : NAME.issues(name)),
  ...prefixed(
    'description',
    optional(description, () => TEXT.issues(description)),
  ),
];

const objectIssues = (key: string, value: unknown): Issue[] =>
  prefixed(
    key,
    optional(value, () => (isJsonObject(value) ? [] : [issue('dict_type')])),
  );

const optional = (value: unknown, issues: () => Issue[]): Issue[] =>
  value === undefined || value === null ? [] : issues();

const NAMED = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', description: 'Name of one of the `tools`.' } },
};
const NAMED_TOOL = {
  type: 'object',
  properties: {
    type: { ...FUNCTION_TYPE, description: '`function` or `custom`. Absent or null: `function`.' },
    function: { ...NAMED, description: 'The function, of type `function`.' },
    custom: { ...NAMED, description: 'The custom tool, of type `custom`.' },
  },
  ...NEEDS_ITS_OBJECT,
};
const ALLOWED_TOOLS = {
  type: 'object',
  required: ['type', 'allowed_tools'],
  properties: {
    type: { const: 'allowed_tools', description: 'Always `allowed_tools`.' },
    allowed_tools: {
      type: 'object',
      description: 'The tools that may be called.',
      required: ['mode', 'tools'],
      properties: {
        mode: { type: 'string', enum: MODES, description: 'Whether one of them must be called: `auto` or `required`.' },
        tools: { type: 'array', minItems: 1, items: NAMED_TOOL, description: 'Some of the `tools`, by name.' },
      },
    },
  },
};

/** A word, the tool to call, or those that may be called; names are judged together with the tools. */
export const IsToolChoice = (): PropertyDecorator =>
  fromRule({
    name: 'isToolChoice',
    issues(value) {
      if (isAllowedTools(value)) return prefixed('allowed_tools', allowedIssues(value.allowed_tools));
      if (isJsonObject(value)) return typeIssues((value as Record<string, unknown>)['type']);
      return typeof value === 'string' && WORDS.includes(value) ? [] : [enumIssue(WORDS)];
    },
    schema: { anyOf: [{ type: 'string', enum: WORDS }, NAMED_TOOL, ALLOWED_TOOLS] },
  });

function allowedIssues(allowed: unknown): Issue[] {
  if (allowed === undefined) return [issue('missing')];
  if (!isJsonObject(allowed)) return [issue('dict_type')];
  const { mode, tools } = allowed as Record<string, unknown>;
  return [
    ...(MODES.includes(mode as string)
      ? []
      : prefixed('mode', [mode === undefined ? issue('missing') : enumIssue(MODES)])),
    ...prefixed('tools', allowedToolIssues(tools)),
  ];
}

function allowedToolIssues(tools: unknown): Issue[] {
  if (tools === undefined) return [issue('missing')];
  if (!Array.isArray(tools)) return [issue('list_type')];
  if (tools.length === 0) return [tooFewIssue(1)];
  return tools.flatMap((tool, index) =>
    prefixed(index, isJsonObject(tool) ? typeIssues((tool as Record<string, unknown>)['type']) : [issue('dict_type')]),
  );
}

/** A word, or the function to call, in the older notation; its name is judged together with the functions. */
export const IsFunctionChoice = (): PropertyDecorator =>
  fromRule({
    name: 'isFunctionChoice',
    issues(value) {
      if (isJsonObject(value)) return [];
      return value === 'none' || value === 'auto' ? [] : [enumIssue(['none', 'auto'])];
    },
    schema: {
      anyOf: [
        { type: 'string', enum: ['none', 'auto'] },
        {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string', description: 'Name of one of the `functions`.' } },
        },
      ],
    },
  });
