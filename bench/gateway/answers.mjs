/** The mock's answer by model name. Times in milliseconds. */
export const PLANS = {
  /** An answer in one body, at once. */
  whole: { isWhole: true },
  /** For the cost of a chunk. */
  paced: { tokens: 200, paceMs: 5 },
  /** The same by upstreams that speak a door themselves. */
  'paced-responses': { tokens: 200, paceMs: 5, form: 'responses' },
  'paced-messages': { tokens: 200, paceMs: 5, form: 'messages' },
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

const frame = (value) => chunk(`data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`);
const chunk = (text) => Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);

function deltaFrame(model, delta, finishReason = null) {
  return frame({ ...head(model), choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }] });
}

const HEAD = Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** Pieces of a stream by the form of its plan. */
const FORMS = {
  chat: (model, tokens) => ({
    role: deltaFrame(model, { role: 'assistant', content: '' }),
    tokens: WORDS.map((content) => deltaFrame(model, { content })),
    end: [
      deltaFrame(model, {}, 'stop'),
      frame({ ...head(model), choices: [], usage: usageOf(tokens + 1) }),
      frame('[DONE]'),
    ],
  }),
  responses: responsePieces,
  messages: messagePieces,
};

/** The pieces of a stream as they go on the wire, in chunks of HTTP. */
export function streamPieces(model) {
  const { tokens, form = 'chat' } = PLANS[model];
  const pieces = FORMS[form](model, tokens);
  return { ...pieces, head: HEAD, end: Buffer.concat([...pieces.end, LAST_CHUNK]) };
}

const eventFrame = (event) => chunk(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

/** Of OpenAI's Responses: https://platform.openai.com/docs/api-reference/responses-streaming */
function responsePieces(model, tokens) {
  const place = { item_id: 'msg_0f1e2d3c', output_index: 0, content_index: 0 };
  const text = textOf(tokens);
  const part = { type: 'output_text', text, annotations: [], logprobs: [] };
  const item = { id: place.item_id, type: 'message', role: 'assistant', status: 'completed', content: [part] };
  const usage = {
    ...{ input_tokens: 12, output_tokens: tokens + 1, total_tokens: 13 + tokens },
    ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
  };
  const response = { id: 'resp_0f1e2d3c', object: 'response', created_at: CREATED, model };
  const begun = { ...response, status: 'in_progress', output: [], usage: null };
  let sequence = 0;
  const events = (list) => list.map((event) => eventFrame({ ...event, sequence_number: sequence++ }));
  return {
    role: Buffer.concat(
      events([
        { type: 'response.created', response: begun },
        { type: 'response.in_progress', response: begun },
        { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
        { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
      ]),
    ),
    tokens: events(WORDS.map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] }))),
    end: events([
      { type: 'response.output_text.done', ...place, text, logprobs: [] },
      { type: 'response.content_part.done', ...place, part },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { ...response, status: 'completed', output: [item], usage } },
    ]),
  };
}

/** Of Anthropic's Messages: https://docs.anthropic.com/en/docs/build-with-claude/streaming */
function messagePieces(model, tokens) {
  const message = {
    ...{ id: 'msg_0f1e2d3c', type: 'message', role: 'assistant', model, content: [], stop_reason: null },
    ...{ stop_sequence: null, usage: { input_tokens: 12, output_tokens: 1 } },
  };
  const delta = (text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
  const events = (...list) => list.map(eventFrame);
  return {
    role: Buffer.concat(
      events(
        { type: 'message_start', message },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ),
    ),
    tokens: events(...WORDS.map(delta)),
    end: events(
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: tokens + 1 },
      },
      { type: 'message_stop' },
    ),
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
