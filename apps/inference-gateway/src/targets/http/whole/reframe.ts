import { writeFrame } from '../../../wire/sse/sse-frame.js';

type Json = Record<string, unknown>;

/**
 * Converts a complete answer to the frames of a stream, for an upstream that does not stream: role, content, finish,
 * usage, and `[DONE]`.
 */
export function reframe(answer: Json): Buffer {
  const { choices, usage, ...rest } = answer;
  const head = { ...rest, object: 'chat.completion.chunk' };
  const frames: Buffer[] = [];
  const add = (index: unknown, delta: unknown, finishReason: unknown, more: Json = {}) => {
    const choice = { index, delta, logprobs: null, finish_reason: finishReason, ...more };
    frames.push(writeFrame(JSON.stringify({ ...head, choices: [choice] }), '\n'));
  };
  for (const choice of choices as Json[]) {
    const { index = 0, message, finish_reason: finishReason, ...more } = choice;
    const { stop_reason: stopReason, ...texts } = more;
    const { content } = message as Json;
    // As OpenAI has it, an answer of calls alone has no text.
    add(index, { role: 'assistant', content: content === null ? null : '' }, null);
    add(index, deltaOf(message as Json), null, texts);
    add(index, {}, finishReason, stopReason === undefined ? {} : { stop_reason: stopReason });
  }
  if (usage !== undefined && usage !== null) {
    frames.push(writeFrame(JSON.stringify({ ...head, choices: [], usage }), '\n'));
  }
  frames.push(writeFrame('[DONE]', '\n'));
  return Buffer.concat(frames);
}

/** A message as a delta: without nulls, and with indexes of tool calls. */
function deltaOf({ role: _, ...message }: Json): Json {
  const delta = Object.fromEntries(Object.entries(message).filter(([, value]) => value !== null));
  if (!Array.isArray(delta.tool_calls)) return delta;
  return { ...delta, tool_calls: delta.tool_calls.map((call: Json, index) => ({ index, ...call })) };
}
