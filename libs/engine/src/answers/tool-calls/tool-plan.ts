import type { ChatCompletionRequestDto, ChatTool } from '@hone/contracts';

import type { ConstraintSource } from '../../decode/constraints/constraint.js';
import { callSchema, locateInTools } from './call-schema.js';
import type { ToolCallForm } from './tool-call-form.js';

/** How a request's answers may call tools. */
export interface ToolPlan {
  readonly form: ToolCallForm;
  /** Constraint of one call. */
  readonly call: ConstraintSource;
  /** The tools that may be called, with their indexes in the request. */
  readonly tools: readonly { readonly tool: ChatTool; readonly index: number }[];
  /** False (`auto`): the model decides whether it calls. */
  readonly mustCall: boolean;
  /** An answer may have more than one call. */
  readonly mayRepeat: boolean;
  /** `finish_reason` of an answer with calls. */
  readonly finishReason: 'stop' | 'tool_calls';
}

/** @returns null when the request allows no tools, or the model writes no calls */
export function planTools(fields: ChatCompletionRequestDto, form: ToolCallForm | null): ToolPlan | null {
  const { tools: given, tool_choice: choice, parallel_tool_calls: parallel } = fields;
  if (!given || choice === 'none' || form === null) return null;
  const named = typeof choice === 'object' && choice !== null ? choice.function.name : null;
  const tools = given
    .map((tool, index) => ({ tool, index }))
    .filter(({ tool }) => named === null || tool.function.name === named);
  const schema = callSchema(
    tools.map(({ tool }) => tool),
    form.argumentsKey,
  );
  return {
    form,
    call: { kind: 'json_schema', schema, whitespace: 'any', onlyDeclared: false },
    tools,
    mustCall: named !== null || choice === 'required',
    mayRepeat: parallel !== false && named === null && form.next !== null,
    finishReason: named === null ? 'tool_calls' : 'stop',
  };
}

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
