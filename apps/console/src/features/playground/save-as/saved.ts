import type { CallsCompleteDto } from '@hone/client';

import type { SentMessage } from '../../../shared/chat/chat.js';
import type { Project } from '../../../shared/data/project.js';
import type { Row } from '../../../shared/datasets/write-dataset.js';

/** An answer of a model, as far as it is saved. */
export interface Answer {
  readonly model: string;
  /** What it answers, as it was sent. */
  readonly messages: readonly SentMessage[];
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** `name arguments` of each tool that it calls. */
  readonly tools: readonly string[];
  /** `chatcmpl-…`. */
  readonly completionId: string;
  /** ISO 8601. */
  readonly askedAt: string;
  /** ISO 8601. */
  readonly answeredAt: string;
}

/** How much of chats the project keeps. */
export type LogLevel = 'full' | 'metadata' | 'off';

/** The call that the chat itself became; that of an answer without its content gets the content in another one. */
export const callIdOf = (completionId: string): string => completionId.replace(/^chatcmpl-/, '');

/** A row as those that are made of calls. */
export const toRow = (answer: Answer): Row => ({
  inputs: { messages: answer.messages },
  output: answer.tools.length === 0 ? answer.text : toMessage(answer),
});

/** A finished call, as the gateway keeps chats. */
export function toCall(project: Project, answer: Answer, level: LogLevel): CallsCompleteDto['batch'][number] {
  const { model, messages, parameters, completionId } = answer;
  const id = level === 'off' ? callIdOf(completionId) : `${callIdOf(completionId)}-saved`;
  return {
    ...{ id, trace_id: id, op_name: `hone:///${project.id}/op/chat.completions:v0` },
    ...{ started_at: answer.askedAt, ended_at: answer.answeredAt },
    attributes: { model, source: 'playground' },
    inputs: { model, messages, ...parameters },
    output: { id: completionId, object: 'chat.completion', model, choices: [{ index: 0, message: toMessage(answer) }] },
    summary: { usage: { [model]: { requests: 1 } } },
  };
}

const toMessage = ({ text, tools }: Answer) => ({
  ...{ role: 'assistant', content: text === '' && tools.length > 0 ? null : text },
  ...(tools.length > 0 && {
    tool_calls: tools.map((called, index) => {
      const [, name = called, args = ''] = /^(\S+) (.*)$/s.exec(called) ?? [];
      return { id: `call_${index}`, type: 'function', function: { name, arguments: args } };
    }),
  }),
});
