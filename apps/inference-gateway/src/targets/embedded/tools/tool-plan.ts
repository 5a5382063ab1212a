import type { ChatCompletionRequestDto, ChatTool } from '@hone/contracts';
import type { ConstraintSource } from '@hone/engine';

import { callSchema } from './call-schema.js';
import type { ToolCallForm } from './tool-call-form.js';

/** How a request's answers may call tools. */
export interface ToolPlan {
  readonly form: ToolCallForm;
  /** What a call must fit. */
  readonly call: ConstraintSource;
  /** The tools that may be called, with their places in the request. */
  readonly tools: readonly { readonly tool: ChatTool; readonly index: number }[];
  /** `auto`: the model decides whether it calls at all. */
  readonly mustCall: boolean;
  /** More than one call in an answer. */
  readonly mayRepeat: boolean;
  /** How an answer with calls ends. */
  readonly finishReason: 'stop' | 'tool_calls';
}

/** @returns null when the request lets no tools be called, or the model writes no calls */
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
