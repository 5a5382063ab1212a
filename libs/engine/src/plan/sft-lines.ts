import { ConversationTooLongError } from '../model/chat-template.errors.js';
import { BadLineError, TemplateNotPrefixError, type Finding, type PlanLoc } from './plan.errors.js';
import type { PlannedSequence } from './plan.js';
import type { SftConfig } from './sft-config.js';
import { readSftLine } from './sft-line.js';
import { renderForSft, type SftPlanningContext } from './sft-sequence.js';

/** Text of a file, cut at its line breaks or streamed line by line. Null: a line that is not valid UTF-8. */
export type Lines = Iterable<string | null> | AsyncIterable<string | null>;

/** A line that is a conversation. */
export interface RenderedLine {
  /** From 1. */
  readonly number: number;
  /** Null: longer than the context. */
  readonly sequence: PlannedSequence | null;
}

/**
 * Reads and renders every line that is not blank, in order.
 *
 * @param file where errors are, in addition to the line; empty: the training data
 * @throws BadLineError, TemplateNotPrefixError after the last line, with the numbers of all such lines
 */
export async function renderLines(
  lines: Lines,
  turns: SftConfig['assistant_turns'],
  context: SftPlanningContext,
  file: PlanLoc = [],
): Promise<RenderedLine[]> {
  const rendered: RenderedLine[] = [];
  const bad: Finding[] = [];
  const notPrefix: Finding[] = [];
  for await (const { number, text } of numbered(lines)) {
    const result = renderLine(text, turns, context);
    const loc = [...file, 'line', number];
    if (result === 'too_long') rendered.push({ number, sequence: null });
    else if (result === 'not_prefix') notPrefix.push({ loc, detail: 'the prompt of an answer' });
    else if ('wrong' in result) bad.push({ loc, detail: result.wrong });
    else rendered.push({ number, sequence: result });
  }
  if (bad.length > 0) throw new BadLineError(bad);
  if (notPrefix.length > 0) throw new TemplateNotPrefixError(notPrefix);
  return rendered;
}

/** Numbers count from 1 and count blank lines too, as editors do. */
async function* numbered(lines: Lines): AsyncGenerator<{ number: number; text: string | null }> {
  let number = 0;
  for await (const line of lines) {
    number++;
    // Some editors open a file with a byte order mark.
    const text = number === 1 && line !== null ? line.replace(/^\ufeff/, '') : line;
    if (text === null || text.trim() !== '') yield { number, text };
  }
}

type LineResult = PlannedSequence | 'too_long' | 'not_prefix' | { readonly wrong: string };

function renderLine(text: string | null, turns: SftConfig['assistant_turns'], context: SftPlanningContext): LineResult {
  if (text === null) return { wrong: 'not valid UTF-8' };
  const conversation = readSftLine(text);
  if (typeof conversation === 'string') return { wrong: conversation };
  try {
    return renderForSft(conversation, turns, context) ?? 'not_prefix';
  } catch (error) {
    if (error instanceof ConversationTooLongError) return 'too_long';
    return { wrong: `the chat template refuses it: ${error instanceof Error ? error.message : String(error)}` };
  }
}
