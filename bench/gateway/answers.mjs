/** The mock's answer by model name. Times in milliseconds. */
export const PLANS = {
  /** An answer in one body, at once. */
  whole: { isWhole: true },
  /** For the cost of a chunk. */
  paced: { tokens: 200, paceMs: 5 },
  /** For the time to the first token. */
  first: { firstMs: 20, tokens: 8, paceMs: 5 },
  /** Never answers. */
  silent: { isSilent: true },
  /** Headers and the role, and then nothing. */
  'role-only': { tokens: 0, hasNoEnd: true },
  /** For callers who leave amid an answer. */
  endless: { tokens: 1_000_000, paceMs: 5 },
  /** As fast as it goes. */
  burst: { tokens: 20 },
  /** About 2 MB, as fast as it goes. */
  large: { tokens: 10_000 },
};

const ID = 'chatcmpl-0f1e2d3c4b5a69788796a5b4c3d2e1f0';
const CREATED = 1_763_650_000;
/** A text that does not repeat itself at once. */
const WORDS = [
  'The',
  ' quick',
  ' brown',
  ' fox',
  ' jumps',
  ' over',
  ' the',
  ' lazy',
  ' dog',
  '.',
  ' And',
  ' so',
  ' on',
];

const head = (model) => ({ id: ID, object: 'chat.completion.chunk', created: CREATED, model });
const usageOf = (tokens) => ({ prompt_tokens: 12, completion_tokens: tokens, total_tokens: 12 + tokens });

function frame(value) {
  const text = `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
  return Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
}

function deltaFrame(model, delta, finishReason = null) {
  return frame({ ...head(model), choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }] });
}

/** The pieces of a stream as they go on the wire, in chunks of HTTP. */
export function streamPieces(model) {
  const { tokens } = PLANS[model];
  return {
    head: Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n'),
    role: deltaFrame(model, { role: 'assistant', content: '' }),
    tokens: WORDS.map((content) => deltaFrame(model, { content })),
    end: Buffer.concat([
      deltaFrame(model, {}, 'stop'),
      frame({ ...head(model), choices: [], usage: usageOf(tokens + 1) }),
      frame('[DONE]'),
      Buffer.from('0\r\n\r\n'),
    ]),
  };
}

/** The text of a stream of `count` tokens. */
export const textOf = (tokens) => Array.from({ length: tokens }, (_, token) => WORDS[token % WORDS.length]).join('');

/** A whole answer with its head. */
export function wholeAnswer(model) {
  const message = { role: 'assistant', content: textOf(WORDS.length) };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }];
  const usage = usageOf(WORDS.length + 1);
  const body = Buffer.from(JSON.stringify({ ...head(model), object: 'chat.completion', choices, usage }));
  const lines = ['HTTP/1.1 200 OK', 'Content-Type: application/json', `Content-Length: ${body.length}`];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]);
}
