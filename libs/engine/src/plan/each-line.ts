import { BadLineError, type Finding, type PlanLoc, TemplateNotPrefixError, ToolCallsLostError } from './plan.errors.js';
import type { SftDefect } from './sft-sequence.js';

/** Text of a file, cut at its line breaks or streamed line by line. Null: a line that is not valid UTF-8. */
export type Lines = Iterable<string | null> | AsyncIterable<string | null>;

/** What came of a line: its content, a defect of its rendering, or in a few words what is wrong with it. */
export type LineResult<Content> = Content | SftDefect | { readonly wrong: string };

/**
 * Reads every line that is not blank, in order.
 *
 * @param file where errors are, in addition to the line; empty: the training data
 * @returns the content of each line, with its number, from 1
 * @throws BadLineError, TemplateNotPrefixError, ToolCallsLostError after the last line, with the numbers of all such
 *   lines
 */
export async function readEach<Content extends object>(
  lines: Lines,
  read: (text: string) => LineResult<Content>,
  file: PlanLoc = [],
): Promise<(Content & { readonly number: number })[]> {
  const found: (Content & { readonly number: number })[] = [];
  const defects = new LineDefects();
  for await (const { number, text } of numbered(lines)) {
    const result = text === null ? { wrong: 'not valid UTF-8' } : read(text);
    const loc = [...file, 'line', number];
    if (typeof result === 'string') defects.add(result, loc);
    else if ('wrong' in result) defects.addBad(result.wrong, loc);
    else found.push({ ...result, number });
  }
  defects.throwIfAny();
  return found;
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
