import { ConversationTooLongError } from '../model/template/chat-template.errors.js';
import { BadLineError, type Finding, type PlanLoc, TemplateNotPrefixError, ToolCallsLostError } from './plan.errors.js';
import type { LineDropReason, PlannedSequence } from './plan.js';
import type { SftConfig } from './sft-config.js';
import { readSftLine, type SftConversation } from './sft-line.js';
import { isOpening, renderForSft, type SftDefect, type SftPlanningContext } from './sft-sequence.js';

/** Text of a file, cut at its line breaks or streamed line by line. Null: a line that is not valid UTF-8. */
export type Lines = Iterable<string | null> | AsyncIterable<string | null>;

/** A line that is a conversation. */
export interface RenderedLine {
  /** From 1. */
  readonly number: number;
  /** Null: it has none. */
  readonly sequence: PlannedSequence | null;
  /** Why it is not trained; null: it is. */
  readonly dropped: LineDropReason | null;
}

/**
 * Reads and renders every line that is not blank, in order.
 *
 * @param file where errors are, in addition to the line; empty: the training data
 * @throws BadLineError, TemplateNotPrefixError, ToolCallsLostError after the last line, with the numbers of all such
 *   lines
 */
export async function renderLines(
  lines: Lines,
  turns: SftConfig['assistant_turns'],
  context: SftPlanningContext,
  file: PlanLoc = [],
): Promise<RenderedLine[]> {
  const rendered: RenderedLine[] = [];
  const defects = new LineDefects();
  for await (const { number, text } of numbered(lines)) {
    const result = renderLine(text, turns, context);
    const loc = [...file, 'line', number];
    if (typeof result === 'string') defects.add(result, loc);
    else if ('wrong' in result) defects.addBad(result.wrong, loc);
    else rendered.push({ number, ...result });
  }
  defects.throwIfAny();
  return rendered;
}

/** Collects the errors of all lines, so that a job reports all of them at once. */
class LineDefects {
  private readonly bad: Finding[] = [];
  private readonly notPrefix: Finding[] = [];
  private readonly lostCalls: Finding[] = [];
  private lackTools = false;

  addBad(detail: string, loc: PlanLoc): void {
    this.bad.push({ loc, detail });
  }

  add(defect: SftDefect, loc: PlanLoc): void {
    if (defect === 'not_prefix') this.notPrefix.push({ loc, detail: 'the prompt of an answer' });
    else this.lostCalls.push({ loc, detail: LOST_CALLS[defect] });
    this.lackTools ||= defect === 'calls_without_tools';
  }

  throwIfAny(): void {
    if (this.bad.length > 0) throw new BadLineError(this.bad);
    if (this.lostCalls.length > 0) throw new ToolCallsLostError(this.lostCalls, this.lackTools);
    if (this.notPrefix.length > 0) throw new TemplateNotPrefixError(this.notPrefix);
  }
}

const LOST_CALLS: Record<Exclude<SftDefect, 'not_prefix'>, string> = {
  calls_without_tools: 'tool_calls in a line without tools',
  calls_not_rendered: 'tool_calls',
};

/** Line numbers start at 1 and count blank lines, as in editors. */
async function* numbered(lines: Lines): AsyncGenerator<{ number: number; text: string | null }> {
  let number = 0;
  for await (const line of lines) {
    number++;
    // Some editors write a byte order mark at the beginning of a file.
    const text = number === 1 && line !== null ? line.replace(/^\ufeff/, '') : line;
    if (text === null || text.trim() !== '') yield { number, text };
  }
}

type LineResult = Omit<RenderedLine, 'number'> | SftDefect | { readonly wrong: string };

function renderLine(text: string | null, turns: SftConfig['assistant_turns'], context: SftPlanningContext): LineResult {
  if (text === null) return { wrong: 'not valid UTF-8' };
  const conversation = readSftLine(text);
  if (typeof conversation === 'string') return { wrong: conversation };
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
