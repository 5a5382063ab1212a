import type { BaseModel } from '../../model/index.js';

/** How a model writes its calls: `{"name": …, "arguments": …}`, and the frame (markers, lists, tags) around it. */
export interface ToolCallForm {
  /** Text that announces a call; empty: a call has no frame before it and is the whole answer. */
  readonly marker: string;
  /** Tokens of the marker. */
  readonly begin: readonly number[];
  /** Tokens between the marker and the first call. */
  readonly open: readonly number[];
  readonly argumentsKey: string;
  /** Tokens that follow a call whether or not it is the last. */
  readonly after: readonly number[];
  /** Tokens that end the last call; may be none. */
  readonly close: readonly number[];
  /** Tokens between `after` and the next call; null: an answer has one call at most. */
  readonly next: readonly number[] | null;
}

const QUESTION = { role: 'user', content: 'hone_question' };
const CALL = {
  type: 'function',
  id: 'call00000',
  function: { name: 'hone_name', arguments: '{"hone_key":"hone_value"}' },
};
const TOOL = { type: 'function', function: { name: 'hone_name', parameters: { type: 'object', properties: {} } } };
const WRITTEN =
  /\{\s*"name"\s*:\s*"hone_name"\s*,\s*"(arguments|parameters)"\s*:\s*\{\s*"hone_key"\s*:\s*"hone_value"\s*\}\s*\}/g;

/**
 * Derives from a model's chat template how the model was trained to write calls: it renders an answer with one call and
 * with two. Recognises, among others, the `<tool_call>` tags of Hermes and Qwen and the bare JSON of Llama 3.
 *
 * @returns null when the template renders no calls, or calls in another format
 */
export function readToolCallForm(model: BaseModel): ToolCallForm | null {
  const one = answerWithCalls(model, 1);
  const calls = one === null ? [] : [...one.matchAll(WRITTEN)];
  const [call] = calls;
  if (one === null || calls.length !== 1 || call === undefined) return null;
  const before = one.slice(0, call.index);
  const close = one.slice(call.index + call[0].length);
  const between = textBetweenCalls(model, before);
  const shared = between === null ? close.length : sharedLength(between, close);
  const marker = markerOf(model, before);
  const encode = (text: string) => model.tokenizer.encodeWithControls(text);
  return {
    marker,
    begin: encode(marker),
    open: encode(before.slice(before.lastIndexOf(marker) + marker.length)),
    argumentsKey: call[1] as string,
    after: encode(close.slice(0, shared)),
    close: encode(close.slice(shared)),
    next: between === null ? null : encode(between.slice(shared)),
  };
}

function textBetweenCalls(model: BaseModel, before: string): string | null {
  const two = answerWithCalls(model, 2);
  const [first, second] = two === null ? [] : [...two.matchAll(WRITTEN)];
  if (two === null || first === undefined || second === undefined) return null;
  const between = two.slice(first.index + first[0].length, second.index);
  // Two calls without a separator would be one text that is not JSON.
  return between === '' || first.index !== before.length ? null : between;
}

/** What the template renders between the opening of an answer and its end token; null: it raises an error. */
function answerWithCalls({ chatTemplate, tokenizer, config }: BaseModel, count: number): string | null {
  const calls = Array.from({ length: count }, () => CALL);
  try {
    const opening = chatTemplate.renderText([QUESTION], { tools: [TOOL], addGenerationPrompt: true });
    const messages = [QUESTION, { role: 'assistant', content: '', tool_calls: calls }];
    const whole = chatTemplate.renderText(messages, { tools: [TOOL] });
    const answer = whole.slice(sharedLength(opening, whole));
    const ends = config.eosTokenIds.map((id) => answer.indexOf(tokenizer.entry(id) ?? '\0')).filter((at) => at >= 0);
    return answer.slice(0, ends.length > 0 ? Math.min(...ends) : answer.trimEnd().length);
  } catch {
    return null;
  }
}

/** The last added token in the text before a call; without one, all of that text. */
function markerOf({ tokenizer }: BaseModel, before: string): string {
  let marker = '';
  let end = 0;
  for (let id = 0; id < tokenizer.vocabSize; id += 1) {
    const entry = tokenizer.isAdded(id) ? tokenizer.entry(id) : null;
    const at = entry ? before.lastIndexOf(entry) : -1;
    if (entry && at >= 0 && at + entry.length > end) [marker, end] = [entry, at + entry.length];
  }
  return marker === '' ? before.trim() : marker;
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}
