import type { AllowedTools, ChatCompletionRequestDto, ChatFunction, NamedTool, ToolChoice } from '@hone/contracts';

import type { ConstraintSource } from '../../decode/constraints/constraint.js';
import { callSchema, locateInTools } from './call-schema.js';
import type { ToolCallForm } from './tool-call-form.js';

/** How a request's answers may call tools. */
export interface ToolPlan {
  readonly form: ToolCallForm;
  /** Constraint of one call. */
  readonly call: ConstraintSource;
  /** The tools that may be called, with their indexes in the request. */
  readonly tools: readonly { readonly tool: ChatFunction; readonly index: number }[];
  /** False (`auto`): the model decides whether it calls. */
  readonly mustCall: boolean;
  /** An answer may have more than one call. */
  readonly mayRepeat: boolean;
  /** `finish_reason` of an answer with calls. */
  readonly finishReason: 'stop' | 'tool_calls';
}

/** @returns null when the request allows no tools, or the model writes no calls; custom tools are left out */
export function planTools(fields: ChatCompletionRequestDto, form: ToolCallForm | null): ToolPlan | null {
  const { tools: given, tool_choice: choice, parallel_tool_calls: parallel } = fields;
  if (!given || choice === 'none' || form === null) return null;
  const { isNamed, mustCall, names } = readChoice(choice);
  const tools = given.flatMap(({ function: tool }, index) =>
    tool !== undefined && (names === null || names.has(tool.name)) ? [{ tool, index }] : [],
  );
  const schema = callSchema(
    tools.map(({ tool }) => tool),
    form.argumentsKey,
  );
  return {
    form,
    call: { kind: 'json_schema', schema, whitespace: 'any', onlyDeclared: false },
    tools,
    mustCall,
    mayRepeat: parallel !== false && !isNamed && form.next !== null,
    finishReason: isNamed ? 'stop' : 'tool_calls',
  };
}

/** @returns names of the functions that may be called; null: all */
function readChoice(choice: ToolChoice | null | undefined) {
  if (typeof choice !== 'object' || choice === null) {
    return { isNamed: false, mustCall: choice === 'required', names: null };
  }
  if (!isAllowedTools(choice)) return { isNamed: true, mustCall: true, names: namesOf([choice]) };
  const { mode, tools } = choice.allowed_tools;
  return { isNamed: false, mustCall: mode === 'required', names: namesOf(tools) };
}

const isAllowedTools = (choice: NamedTool | AllowedTools): choice is AllowedTools => choice.type === 'allowed_tools';
const namesOf = (tools: readonly NamedTool[]) => new Set(tools.map((tool) => tool.function?.name ?? ''));

/** An engine's error about {@link ToolPlan.call} begins with a JSON pointer into the constraint's schema. */
const POINTED = /^(\/\S*): (.*)$/s;

/**
 * Finds the tool that an engine's error about {@link ToolPlan.call} is about.
 *
 * @returns index of the tool in the request, and the reason with the pointer into the tool's parameters
 */
export function locateCallError({ tools }: ToolPlan, message: string): { index: number; reason: string } {
  const [, schemaPointer = '', text = message] = POINTED.exec(message) ?? [];
  const { tool, pointer } = locateInTools(schemaPointer);
  return { index: tools[tool]?.index ?? 0, reason: pointer === '' ? text : `${pointer}: ${text}` };
}
