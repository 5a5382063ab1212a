import { randomUUID } from 'node:crypto';

const ask = (words) => ({
  model: 'hone-tiny',
  messages: [{ role: 'user', content: `repeat: ${words}` }],
  max_tokens: 16,
});

/** An answer in one piece. */
export async function answer(caller, ledger) {
  const rid = randomUUID();
  ledger.sent('chat', rid);
  const completion = await caller.send('POST', '/v1/chat/completions', ask('cat'), { 'x-request-id': rid });
  if (completion?.choices?.[0]?.finish_reason) ledger.acknowledged('chat', rid);
}

/** A stream is acknowledged by its `[DONE]`. */
export async function stream(caller, ledger) {
  const rid = randomUUID();
  ledger.sent('chat stream', rid);
  const body = { ...ask('sun'), stream: true };
  const text = await caller.text('POST', '/v1/chat/completions', body, { 'x-request-id': rid });
  if (text === undefined) return;
  const isDone = text.endsWith('data: [DONE]\n\n');
  const isFinished = /"finish_reason":"/.test(text);
  // A stream with `[DONE]` and without a finish reason would pass for a whole answer.
  if (isDone && !isFinished) throw new Error(`a stream that says it is done and is not: ${text.slice(-300)}`);
  if (isDone) ledger.acknowledged('chat stream', rid);
}
