import { ConversationTooLongError } from '../model/template/chat-template.errors.js';
import { type LineResult, type Lines, readEach } from './each-line.js';
import type { PlanLoc } from './plan.errors.js';
import type { LineDropReason, PlannedSequence } from './plan.js';
import type { SftConfig } from './sft-config.js';
import { readSftLine, type SftConversation } from './sft-line.js';
import { isOpening, renderForSft, type SftPlanningContext } from './sft-sequence.js';

/** A conversation as it is trained. */
export interface RenderedConversation {
  /** Null: it has none. */
  readonly sequence: PlannedSequence | null;
  /** Why it is not trained; null: it is. */
  readonly dropped: LineDropReason | null;
}

/** A line that is a conversation. */
export interface RenderedLine extends RenderedConversation {
  /** From 1. */
  readonly number: number;
}

/**
 * Reads and renders every line that is not blank, in order.
 *
 * @param file where errors are, in addition to the line; empty: the training data
 * @throws BadLineError, TemplateNotPrefixError, ToolCallsLostError after the last line, with the numbers of all such
 *   lines
 */
export function renderLines(
  lines: Lines,
  turns: SftConfig['assistant_turns'],
  context: SftPlanningContext,
  file: PlanLoc = [],
): Promise<RenderedLine[]> {
  const read = (text: string): LineResult<RenderedConversation> => {
    const conversation = readSftLine(text);
    return typeof conversation === 'string'
      ? { wrong: conversation }
      : renderConversation(conversation, turns, context);
  };
  return readEach(lines, read, file);
}

/** Renders a conversation that a line holds. */
export function renderConversation(
  conversation: SftConversation,
  turns: SftConfig['assistant_turns'],
  context: SftPlanningContext,
): LineResult<RenderedConversation> {
  try {
    const sequence = renderForSft(conversation, turns, context);
    if (typeof sequence === 'string') return sequence;
    return { sequence, dropped: sequence.mask.includes(1) ? null : 'no_tokens' };
  } catch (error) {
    if (error instanceof ConversationTooLongError) return { sequence: null, dropped: 'too_long' };
    if (beginsWithAssistant(conversation)) return { sequence: null, dropped: 'assistant_first' };
    return { wrong: `the chat template refuses it: ${error instanceof Error ? error.message : String(error)}` };
  }
}

const beginsWithAssistant = ({ messages }: SftConversation): boolean =>
  isOpening(
    messages.slice(
      0,
      messages.findIndex(({ role }) => role === 'assistant'),
    ),
  );
