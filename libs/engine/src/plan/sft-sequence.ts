import { hasToolCalls } from '@hone/contracts';

import { ConversationTooLongError } from '../model/template/chat-template.errors.js';
import type { PlannedSequence } from './plan.js';
import type { PlanningTokenizer } from './planning-tokenizer.js';
import { startsWith } from './rendered.js';
import type { SftConfig } from './sft-config.js';
import type { SftConversation, SftMessage } from './sft-line.js';

export interface SftPlanningContext {
  readonly tokenizer: PlanningTokenizer;
  /** Most tokens that the engine takes in one sequence. */
  readonly contextLength: number;
}

/** Why a conversation has no sequence: a prompt is not the beginning of its answer, or tool calls are left out. */
export type SftDefect = 'not_prefix' | 'calls_without_tools' | 'calls_not_rendered';

/**
 * Renders a conversation. The trained tokens are those that each assistant turn (or the last) adds to its prompt, which
 * ends with the generation prompt: its text and its end marker. Turns of weight 0, and those that say nothing and call
 * nothing, are context: a model would learn to be silent.
 *
 * @throws ConversationTooLongError it has more tokens than `contextLength`
 * @throws what the chat template throws
 */
export function renderForSft(
  conversation: SftConversation,
  turns: SftConfig['assistant_turns'],
  context: SftPlanningContext,
): PlannedSequence | SftDefect {
  return new ConversationRendering(conversation, context).sequence(turns);
}

class ConversationRendering {
  private readonly ids: readonly number[];

  constructor(
    private readonly conversation: SftConversation,
    private readonly context: SftPlanningContext,
  ) {
    const { messages } = conversation;
    const { contextLength } = context;
    this.ids = this.encode(messages, false, contextLength);
    // Checked before the turns, each of which renders the conversation up to itself.
    if (this.ids.length > contextLength) throw new ConversationTooLongError(contextLength);
  }

  sequence(turns: SftConfig['assistant_turns']): PlannedSequence | SftDefect {
    const { messages, tools } = this.conversation;
    const mask = this.ids.map((): 0 | 1 => 0);
    const assistants = [...messages.keys()].filter((at) => messages[at]?.role === 'assistant');
    for (const turn of turns === 'last' ? assistants.slice(-1) : assistants) {
      const message = messages[turn] as SftMessage;
      if (message.weight === 0 || isSilent(message)) continue;
      if (this.dropsCalls(turn)) return tools?.length ? 'calls_not_rendered' : 'calls_without_tools';
      const through = turn === messages.length - 1 ? this.ids : this.encode(messages.slice(0, turn + 1), false);
      const start = this.startOf(turn, through);
      if (start === null || !startsWith(this.ids, through)) return 'not_prefix';
      // Nothing predicts the first token.
      mask.fill(1, Math.max(1, start), through.length);
    }
    return { ids: this.ids, mask, old: null, adv: null, weight: 1 };
  }

  /** Tokens before the answer of a turn; null: its prompt is not the beginning of it. */
  private startOf(turn: number, through: readonly number[]): number | null {
    const before = this.conversation.messages.slice(0, turn);
    if (isOpening(before)) return this.startOfOpening(before, through);
    const prompt = this.encode(before, true);
    return startsWith(through, prompt) ? prompt.length : null;
  }

  /**
   * The same where nobody has spoken before the assistant. Many templates refuse such a prompt, or write another one: the
   * first generation prompt in the rendering then ends it. Without one the turn is context.
   */
  private startOfOpening(before: readonly SftMessage[], through: readonly number[]): number {
    const prompt = this.tryEncode(before, true);
    if (prompt && startsWith(through, prompt)) return prompt.length;
    const asked = [...before, { role: 'user', content: '?' }];
    const [answered, question] = [this.tryEncode(asked, true), this.tryEncode(asked, false)];
    const opening = answered && question && startsWith(answered, question) ? answered.slice(question.length) : [];
    const at = through.findIndex((_, from) => opening.every((id, offset) => through[from + offset] === id));
    return opening.length === 0 || at < 0 ? through.length : at + opening.length;
  }

  /** Whether the template writes the turn as if it called nothing. */
  private dropsCalls(turn: number): boolean {
    const through = this.conversation.messages.slice(0, turn + 1);
    const message = through[turn] as SftMessage;
    if (!hasToolCalls(message)) return false;
    const without = { ...message, content: message.content ?? '', tool_calls: undefined };
    const ids = this.tryEncode(through.with(turn, without), false);
    // A template that refuses the turn without its calls reads them.
    return ids !== null && isSame(ids, this.encode(through, false));
  }

  private tryEncode(messages: readonly SftMessage[], addGenerationPrompt: boolean): number[] | null {
    try {
      return this.encode(messages, addGenerationPrompt);
    } catch {
      return null;
    }
  }

  private encode(messages: readonly SftMessage[], addGenerationPrompt: boolean, maxTokens?: number): number[] {
    const { tools } = this.conversation;
    return this.context.tokenizer.encodeChat(messages, { tools, addGenerationPrompt, maxTokens });
  }
}

const isSilent = (message: SftMessage): boolean =>
  (message.content === undefined || message.content === null) && !hasToolCalls(message);

/** Whether nobody but the system has spoken. */
export const isOpening = (before: readonly SftMessage[]): boolean => before.every(({ role }) => role === 'system');

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && startsWith(one, other);
