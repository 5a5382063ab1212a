import { type Issue, valueIssue } from '../issues/issue.js';
import { isJsonObject } from '../json/index.js';
import type { ChatCompletionRequestDto } from './chat-completions.dto.js';
import { calledOf, isAllowedTools, type NamedTool } from './chat-tools.js';
import type { StructuredOutputsDto } from './structured-outputs.dto.js';

/** A rule over several fields: the field that is blamed, and whether the request breaks it. */
interface Combination {
  field: (string | number)[];
  sentence: string;
  isBroken(request: ChatCompletionRequestDto): boolean;
}

const SHAPES = ['json', 'regex', 'choice', 'grammar', 'json_object', 'structural_tag'] as const;
const MODIFIERS = ['disable_fallback', 'disable_any_whitespace', 'disable_additional_properties'] as const;

/** Members that ask for something: absent, null and false ask for nothing. */
const shapesOf = (outputs: StructuredOutputsDto) =>
  SHAPES.filter((name) => outputs[name] !== undefined && outputs[name] !== null && outputs[name] !== false);

const hasModifier = (outputs: StructuredOutputsDto) =>
  MODIFIERS.some((name) => outputs[name] === true) || typeof outputs.whitespace_pattern === 'string';

/** Whether the request holds its answer to a shape of its own. */
const isStructured = ({ structured_outputs: outputs }: ChatCompletionRequestDto) =>
  !!outputs && shapesOf(outputs).length > 0;

const isEmptyShape = (outputs: StructuredOutputsDto) =>
  (['json', 'regex', 'grammar', 'structural_tag'] as const).some((name) => outputs[name] === '');

const wantsJsonSchema = ({ response_format: format }: ChatCompletionRequestDto) => format?.type === 'json_schema';
const hasTools = ({ tools }: ChatCompletionRequestDto) => !!tools && tools.length > 0;
const hasFunctions = ({ functions }: ChatCompletionRequestDto) => !!functions && functions.length > 0;
/** The tools that a choice names. */
function namedTools({ tool_choice: choice }: ChatCompletionRequestDto): readonly NamedTool[] {
  if (isAllowedTools(choice)) return choice.allowed_tools.tools;
  return isJsonObject(choice) ? [choice] : [];
}
const isAmong = (named: NamedTool, { tools }: ChatCompletionRequestDto) =>
  !!tools?.some((tool) => (tool.type === 'custom') === (named.type === 'custom') && nameOf(tool) === nameOf(named));
const nameOf = (tool: NamedTool) => calledOf(tool)?.name;
const isForced = (request: ChatCompletionRequestDto) => {
  const { tool_choice: choice } = request;
  if (isAllowedTools(choice)) return choice.allowed_tools.mode === 'required';
  return choice === 'required' || namedTools(request).length > 0;
};
const namesOf = ({ tools, functions }: ChatCompletionRequestDto, field: string) =>
  field === 'tools' ? (tools ?? []).map(nameOf) : (functions ?? []).map(({ name }) => name);
const areTwice = (names: readonly unknown[]) => new Set(names).size < names.length;
const hasOtherFormat = ({ response_format: format }: ChatCompletionRequestDto) =>
  !!format && (format.type ?? (format.json_schema ? 'json_schema' : 'text')) !== 'text';
const limitOf = ({ max_completion_tokens: limit, max_tokens: other }: ChatCompletionRequestDto) => limit ?? other;

const COMBINATIONS: Combination[] = [
  {
    field: ['top_logprobs'],
    sentence: 'top_logprobs needs logprobs true',
    isBroken: (request) => !!request.top_logprobs && request.logprobs !== true,
  },
  {
    field: ['prompt_logprobs'],
    sentence: 'prompt_logprobs cannot be streamed',
    isBroken: (request) => typeof request.prompt_logprobs === 'number' && request.stream === true,
  },
  {
    field: ['stream_options'],
    sentence: 'stream_options needs stream true',
    isBroken: ({ stream, stream_options: options }) =>
      stream !== true && !!options && Object.values(options).some((value) => value !== undefined && value !== null),
  },
  {
    field: ['stream_options', 'continuous_usage_stats'],
    sentence: 'continuous_usage_stats needs include_usage',
    isBroken: ({ stream_options: options }) =>
      options?.continuous_usage_stats === true && options.include_usage === false,
  },
  {
    field: ['min_tokens'],
    sentence: 'min_tokens is more than the tokens that were asked for',
    isBroken: (request) => (request.min_tokens ?? 0) > (limitOf(request) ?? Infinity),
  },
  {
    field: ['structured_outputs'],
    sentence: 'structured_outputs takes one of json, regex, choice, grammar, json_object and structural_tag',
    isBroken: ({ structured_outputs: outputs }) =>
      !!outputs &&
      (shapesOf(outputs).length > 1 ||
        isEmptyShape(outputs) ||
        (shapesOf(outputs).length === 0 && hasModifier(outputs)) ||
        (outputs.regex ?? '').includes('\0')),
  },
  {
    field: ['structured_outputs'],
    sentence: 'structured_outputs and response_format cannot both shape the answer',
    isBroken: (request) => isStructured(request) && hasOtherFormat(request),
  },
  {
    field: ['structured_outputs'],
    sentence: 'structured_outputs cannot shape a tool call',
    isBroken: (request) => isStructured(request) && isForced(request),
  },
  {
    field: ['tool_choice'],
    sentence: 'tool_choice needs tools',
    isBroken: (request) => !!request.tool_choice && request.tool_choice !== 'none' && !hasTools(request),
  },
  {
    field: ['tool_choice'],
    sentence: 'tool_choice names a tool that is not among the tools',
    isBroken: (request) => hasTools(request) && namedTools(request).some((named) => !isAmong(named, request)),
  },
  {
    field: ['functions'],
    sentence: 'functions and tools exclude each other',
    isBroken: (request) => hasFunctions(request) && hasTools(request),
  },
  {
    field: ['function_call'],
    sentence: 'function_call needs functions',
    isBroken: (request) => !!request.function_call && request.function_call !== 'none' && !hasFunctions(request),
  },
  {
    field: ['function_call'],
    sentence: 'function_call names a function that is not among the functions',
    isBroken: (request) => {
      const { function_call: choice } = request;
      return isJsonObject(choice) && hasFunctions(request) && !namesOf(request, 'functions').includes(choice.name);
    },
  },
  {
    field: ['continue_final_message'],
    sentence: 'continue_final_message and add_generation_prompt exclude each other',
    isBroken: (request) => request.continue_final_message === true && request.add_generation_prompt === true,
  },
  {
    field: ['continue_final_message'],
    sentence: "continue_final_message needs a last message that is the assistant's text",
    isBroken: ({ continue_final_message: continues, messages }) => {
      const last = messages.at(-1);
      return continues === true && !(last?.role === 'assistant' && !!last.content);
    },
  },
  {
    field: ['repetition_detection'],
    sentence: 'min_pattern_size is above max_pattern_size, or min_count below 2',
    isBroken: ({ repetition_detection: limits }) => {
      const { max_pattern_size: max, min_pattern_size: min, min_count: count } = limits ?? {};
      return (min ?? 0) > (max ?? 0) || ((max ?? 0) > 0 && (count ?? 0) < 2);
    },
  },
  {
    field: ['use_beam_search'],
    sentence: 'Beam search cannot be streamed',
    isBroken: (request) => request.use_beam_search === true && request.stream === true,
  },
  {
    field: ['response_format', 'json_schema'],
    sentence: 'response_format json_schema needs json_schema',
    isBroken: (request) => wantsJsonSchema(request) && !request.response_format?.json_schema,
  },
  {
    field: ['response_format'],
    sentence: 'response_format structural_tag needs its structural_tag, format or structures',
    isBroken: ({ response_format: format }) =>
      format?.type === 'structural_tag' && !(format.structural_tag || format.format || format.structures),
  },
  {
    field: ['tools'],
    sentence: 'Two tools have the same name',
    isBroken: (request) => areTwice(namesOf(request, 'tools')),
  },
  {
    field: ['functions'],
    sentence: 'Two functions have the same name',
    isBroken: (request) => areTwice(namesOf(request, 'functions')),
  },
];

/** What is wrong with fields that are each right by themselves; `loc` begins with the field's name. */
export function combinationIssues(request: ChatCompletionRequestDto): Issue[] {
  const broken = COMBINATIONS.filter(({ isBroken }) => isBroken(request));
  return broken.map(({ field, sentence }) => valueIssue(sentence, [...field]));
}
