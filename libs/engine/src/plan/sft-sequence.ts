import { ConversationTooLongError } from '../model/chat-template.errors.js';
import type { PlannedSequence } from './plan.js';
import type { PlanningTokenizer } from './planning-tokenizer.js';
import { startsWith } from './rendered.js';
import type { SftConfig } from './sft-config.js';
import type { SftConversation } from './sft-line.js';

export interface SftPlanningContext {
  readonly tokenizer: PlanningTokenizer;
  /** Most tokens that the engine takes in one sequence. */
  readonly contextLength: number;
}

/**
 * Renders a conversation. The trained tokens are those that each assistant turn (or the last) adds to its prompt, which
 * ends with the generation prompt: its text and its end marker. Turns of weight 0 are context.
 *
 * @returns null when a rendered prompt is not a prefix of the whole conversation
 * @throws ConversationTooLongError it has more tokens than `contextLength`
 * @throws what the chat template throws
 */
export function renderForSft(
  { messages, tools }: SftConversation,
  turns: SftConfig['assistant_turns'],
  { tokenizer, contextLength }: SftPlanningContext,
): PlannedSequence | null {
  const ids = tokenizer.encodeChat(messages, { tools, addGenerationPrompt: false, maxTokens: contextLength });
  // Before the turns: each of them renders the conversation up to itself.
  if (ids.length > contextLength) throw new ConversationTooLongError(contextLength);
  const mask = ids.map((): 0 | 1 => 0);
  const assistants = [...messages.keys()].filter((at) => messages[at]?.role === 'assistant');
  for (const turn of turns === 'last' ? assistants.slice(-1) : assistants) {
    if (messages[turn]?.weight === 0) continue;
    const prompt = tokenizer.encodeChat(messages.slice(0, turn), { tools, addGenerationPrompt: true });
    const through = turn === messages.length - 1 ? ids : throughTurn(turn);
    if (!startsWith(through, prompt) || !startsWith(ids, through)) return null;
    // Nothing predicts the first token.
    mask.fill(1, Math.max(1, prompt.length), through.length);
  }
  return { ids, mask, old: null, adv: null, weight: 1 };

  function throughTurn(turn: number): number[] {
    return tokenizer.encodeChat(messages.slice(0, turn + 1), { tools, addGenerationPrompt: false });
  }
}
