import { BadLineError, TemplateNotPrefixError, type Finding } from './plan.errors.js';
import type { PlannedSequence } from './plan.js';
import type { PlanningTokenizer } from './planning-tokenizer.js';
import type { SftConfig } from './sft-config.js';
import { readSftLine } from './sft-line.js';
import { renderForSft } from './sft-sequence.js';

/** Text of a file, cut at its line breaks or streamed line by line. */
export type Lines = Iterable<string> | AsyncIterable<string>;

/**
 * Reads and renders every line that is not blank, in order.
 *
 * @throws BadLineError, TemplateNotPrefixError after the last line, with the numbers of all such lines
 */
export async function renderLines(
  lines: Lines,
  turns: SftConfig['assistant_turns'],
  tokenizer: PlanningTokenizer,
): Promise<PlannedSequence[]> {
  const sequences: PlannedSequence[] = [];
  const bad: Finding[] = [];
  const notPrefix: Finding[] = [];
  for await (const { number, text } of numbered(lines)) {
    const result = renderLine(text, turns, tokenizer);
    const loc = ['line', number];
    if (typeof result === 'string') bad.push({ loc, detail: result });
    else if (result) sequences.push(result);
    else notPrefix.push({ loc, detail: 'the prompt of an answer' });
  }
  if (bad.length > 0) throw new BadLineError(bad);
  if (notPrefix.length > 0) throw new TemplateNotPrefixError(notPrefix);
  return sequences;
}

/** Numbers count from 1 and count blank lines too, as editors do. */
async function* numbered(lines: Lines): AsyncGenerator<{ number: number; text: string }> {
  let number = 0;
  for await (const line of lines) {
    number++;
    // Some editors open a file with a byte order mark.
    const text = number === 1 ? line.replace(/^\ufeff/, '') : line;
    if (text.trim() !== '') yield { number, text };
  }
}

/** Null: not a prefix; text: what is wrong with the line. */
function renderLine(
  text: string,
  turns: SftConfig['assistant_turns'],
  tokenizer: PlanningTokenizer,
): PlannedSequence | string | null {
  const conversation = readSftLine(text);
  if (typeof conversation === 'string') return conversation;
  try {
    return renderForSft(conversation, turns, tokenizer);
  } catch (error) {
    return `the chat template refuses it: ${error instanceof Error ? error.message : String(error)}`;
  }
}
