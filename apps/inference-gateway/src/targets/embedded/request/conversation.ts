import {
  calledOf,
  type ChatCompletionRequestDto,
  type ChatFunction,
  type ChatMessage,
  isAllowedTools,
} from '@hone/contracts';

import type { RefusalIssue } from '../../target.js';
import { unsupported } from './request-issue.js';

/** A message in the form that chat templates read. */
export interface TemplateMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly [field: string]: unknown;
}

/** Issues of content parts that a text model cannot read. */
export function partIssues(messages: readonly ChatMessage[]): RefusalIssue[] {
  return messages.flatMap(({ content }, index) =>
    (Array.isArray(content) ? content : []).flatMap(({ type }, part) =>
      type === 'text'
        ? []
        : [unsupported(['messages', index, 'content', part, 'type'], 'This model reads text parts only')],
    ),
  );
}

/** Removes members that are null: many templates only test whether a member exists. */
export function toTemplateMessages(messages: readonly ChatMessage[]): TemplateMessage[] {
  return messages.map((message) => {
    const entries = Object.entries(message).filter(([name, value]) => value !== null || name === 'content');
    const kept = Object.fromEntries(entries) as TemplateMessage & { [field: string]: unknown };
    const reasoning = kept['reasoning'] ?? kept['reasoning_content'];
    // Templates use either of the two names.
    return reasoning === undefined ? kept : { ...kept, reasoning, reasoning_content: reasoning };
  });
}

/** Issues of tools that the model cannot call. */
export function toolIssues({ tools, tool_choice: choice }: ChatCompletionRequestDto): RefusalIssue[] {
  if (!tools || choice === 'none') return [];
  return tools.flatMap(({ type }, index) =>
    type === 'custom'
      ? [unsupported(['tools', index, 'type'], 'This model calls tools of the type function only')]
      : [],
  );
}

/**
 * The tools that the prompt contains; null: none.
 *
 * Ours: only those that may be called, and with `none` no tools, because a model that sees tools calls them.
 */
export function toTemplateTools({ tools, tool_choice: choice }: ChatCompletionRequestDto): unknown[] | null {
  if (!tools || choice === 'none') return null;
  const allowed = isAllowedTools(choice)
    ? new Set(choice.allowed_tools.tools.map((tool) => calledOf(tool)?.name))
    : null;
  const functions = tools.flatMap(({ function: one }) => (one && (allowed?.has(one.name) ?? true) ? [one] : []));
  return functions.map((one) => ({ type: 'function', function: toTemplateFunction(one) }));
}

/** Leaves out `strict`, which is not for the model. */
function toTemplateFunction({ name, description, parameters }: ChatFunction): object {
  return { name, ...(description && { description }), ...(parameters && { parameters }) };
}

/** Role of the answer's message. */
export function answerRole({ messages, add_generation_prompt: adds, ...rest }: ChatCompletionRequestDto): string {
  if (rest.continue_final_message === true || adds !== false) return 'assistant';
  return messages.at(-1)?.role ?? 'assistant';
}

/** Text of `echo`: the last message, if it has the role of the answer. */
export function echoedText(fields: ChatCompletionRequestDto): string {
  const last = fields.messages.at(-1);
  if (fields.echo !== true || last?.role !== answerRole(fields)) return '';
  return contentText(last);
}

export function contentText({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => (typeof part.text === 'string' ? part.text : '')).join('');
}
