/** Names of the tool that runs a command, as coding agents call it -> its arguments. */
const SHELLS = {
  Bash: (command) => ({ command, description: 'Does what was asked for' }),
  exec_command: (cmd) => ({ cmd }),
};
const USAGE = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };
/** Streams come in pieces, as tokens do. */
const PIECE = /.{1,7}/gs;

/** The answer to a chat completion, of a model that runs the command it is told to (Run `…`), and tells the last line of its output. */
export function answerOfScript(asked) {
  const said = saidTo(asked);
  const head = { id: 'scripted', created: 1, model: asked.model };
  return asked.stream
    ? { type: 'text/event-stream', body: streamOf(head, said) }
    : { type: 'application/json', body: JSON.stringify(wholeOf(head, said)) };
}

/** @returns {{ text: string } | { call: { name: string, arguments: string } }} */
function saidTo({ messages, tools = [] }) {
  const result = messages.findLast(({ role }) => role === 'tool');
  if (result) return { text: `The shell said ${textOf(result).trim().split('\n').at(-1)}.` };
  const shell = tools.map((tool) => tool.function.name).find((name) => Object.hasOwn(SHELLS, name));
  const [, command] = /Run `([^`]+)`/.exec(messages.map(textOf).join('\n')) ?? [];
  if (!shell || !command) return { text: 'Hi' };
  return { call: { name: shell, arguments: JSON.stringify(SHELLS[shell](command)) } };
}

const textOf = ({ content }) =>
  typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('');

const reasonOf = ({ call }) => (call ? 'tool_calls' : 'stop');

const toCall = (called) => ({ id: 'call_1', type: 'function', function: called });

function wholeOf(head, said) {
  const { text = null, call } = said;
  const message = { role: 'assistant', content: text, ...(call && { tool_calls: [toCall(call)] }) };
  const choices = [{ index: 0, message, finish_reason: reasonOf(said) }];
  return { ...head, object: 'chat.completion', choices, usage: USAGE };
}

function streamOf(head, said) {
  const deltas = [{ role: 'assistant', content: '' }, ...deltasOf(said)];
  const frames = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: reasonOf(said) }] },
    { choices: [], usage: USAGE },
  ].map((frame) => JSON.stringify({ ...head, object: 'chat.completion.chunk', ...frame }));
  return [...frames, '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
}

function deltasOf({ text, call }) {
  if (!call) return text.match(PIECE).map((content) => ({ content }));
  const pieces = call.arguments.match(PIECE).map((piece) => ({ function: { arguments: piece } }));
  const parts = [toCall({ name: call.name, arguments: '' }), ...pieces];
  return parts.map((part) => ({ tool_calls: [{ index: 0, ...part }] }));
}
