import type { GenerationEvent } from '../../decode/batch/generation-event.js';
import { type GenerationRequest, PLAIN_ENDING } from '../../decode/batch/generation-request.js';
import { PLAIN_SAMPLING } from '../../decode/sampling/sampling-settings.js';
import type { AnswerEvent } from '../answer-event.js';
import type { ToolCallForm } from './tool-call-form.js';
import type { ToolPlan } from './tool-plan.js';
import { ToolTurn } from './tool-turn.js';

const END = 0;
/** Ids of the letters are their codes; 0 ends an answer. */
const encode = (text: string) => Array.from(text, (letter) => letter.codePointAt(0) as number);
const decode = (ids: readonly number[]) => String.fromCodePoint(...ids.filter((id) => id !== END));

const TAGS: ToolCallForm = {
  marker: '<call>',
  begin: encode('<call>'),
  open: encode('\n'),
  argumentsKey: 'arguments',
  after: encode('\n</call>'),
  close: [],
  next: encode('\n<call>\n'),
};
const BARE: ToolCallForm = {
  ...TAGS,
  marker: '',
  begin: [],
  open: [],
  after: [],
  argumentsKey: 'parameters',
  next: null,
};
const LIST: ToolCallForm = { ...TAGS, open: encode('['), after: [], close: encode(']'), next: encode(', ') };
const CALL = '{"name": "f", "arguments": {"a": 1}}';

const REQUEST: GenerationRequest = {
  promptIds: encode('P'),
  choices: 1,
  maxTokens: null,
  sampling: { ...PLAIN_SAMPLING, minTokens: 3 },
  isReproducible: false,
  ending: { ...PLAIN_ENDING, stop: ['}'] },
  text: { skipSpecialTokens: true, spacesBetweenSpecialTokens: true },
  topLogProbabilities: null,
  promptLogProbabilities: null,
  constraint: null,
  priority: 0,
  cacheSalt: null,
};
const PLAN: ToolPlan = {
  form: TAGS,
  call: { kind: 'json_schema', schema: {}, whitespace: 'any', onlyDeclared: false },
  tools: [],
  mustCall: false,
  mayRepeat: true,
  finishReason: 'tool_calls',
};

/** A scripted model: each generation returns the next text, within the limits of its request. */
function writing(...texts: string[]) {
  const requests: GenerationRequest[] = [];
  const texter = async function* (request: GenerationRequest): AsyncGenerator<GenerationEvent, void, undefined> {
    requests.push(request);
    yield { kind: 'prompt', promptTokens: 1, cachedTokens: 0, logProbabilities: null };
    const { allowedTokenIds } = request.sampling;
    const isFrame = allowedTokenIds !== null;
    // Frames of calls cost no text unless there is a choice.
    const isChoice = isFrame && allowedTokenIds.length > 1;
    const text = !isFrame || isChoice ? (texts.shift() ?? '') : '';
    const ids = isFrame
      ? [isChoice && text !== 'more' ? allowedTokenIds.at(-1)! : allowedTokenIds[0]!]
      : [...encode(text), END];
    const kept = ids.slice(0, request.maxTokens ?? ids.length);
    const written = decode(kept);
    const found = request.ending.stop.filter((stop) => written.includes(stop));
    const [stop = null] = found.sort((a, b) => written.indexOf(a) - written.indexOf(b));
    const shown = stop === null ? written : written.slice(0, written.indexOf(stop));
    const taken = stop === null ? kept : kept.slice(0, shown.length + stop.length);
    yield { kind: 'text', choice: 0, text: shown, ids: taken, logProbabilities: null };
    const finishReason = stop === null && kept.length < ids.length ? 'length' : 'stop';
    yield { kind: 'finish', choice: 0, finishReason, stopReason: stop, completionTokens: taken.length };
  };
  return { generate: texter, requests };
}

/** The calls that were written to their end. */
function callsOf(events: readonly AnswerEvent[]) {
  const calls: { name: string; arguments: string }[] = [];
  let call = { name: '', arguments: '' };
  for (const event of events) {
    if (event.kind === 'call') call = { name: event.name, arguments: '' };
    else if (event.kind === 'arguments') call.arguments += event.text;
    else if (event.kind === 'call_end') calls.push(call);
  }
  return calls;
}

async function turn(script: ReturnType<typeof writing>, plan: Partial<ToolPlan>, maxTokens = 1_000, request = REQUEST) {
  const options = { generate: script.generate, request, maxTokens, plan: { ...PLAN, ...plan }, endIds: [END], encode };
  const events: AnswerEvent[] = [];
  for await (const event of new ToolTurn(options, 0).run()) events.push(event);
  const text = events.map((event) => (event.kind === 'text' ? event.text : '')).join('');
  const calls = callsOf(events);
  const end = events.at(-1)!;
  const ids = events.flatMap((event) => (event.kind === 'prompt' ? [] : event.ids));
  return { text, calls, end: end.kind === 'finish' ? end.finishReason : null, answer: decode(ids), events };
}

describe('ToolTurn', () => {
  it('generates text, then a call, then the end', async () => {
    const script = writing('Let me see. <call>', CALL, 'end');
    const said = await turn(script, { mayRepeat: true });
    expect(said.calls).toEqual([{ name: 'f', arguments: '{"a": 1}' }]);
    expect(said.end).toBe('tool_calls');
    expect(said.answer).toBe(`Let me see. <call>\n${CALL}\n</call>`);
  });

  it('lets the model choose another call after each call', async () => {
    const said = await turn(writing('<call>', CALL, 'more', CALL, 'end'), {});
    expect(said.calls).toHaveLength(2);
    expect(said.answer).toBe(`<call>\n${CALL}\n</call>\n<call>\n${CALL}\n</call>`);
  });

  it('generates a list of calls and closes the list', async () => {
    const said = await turn(writing('<call>', CALL, 'more', CALL, 'end'), { form: LIST });
    expect(said.answer).toBe(`<call>[${CALL}, ${CALL}]`);
    expect(said.calls).toHaveLength(2);
  });

  it('forces the marker when the model must call', async () => {
    const said = await turn(writing(CALL), { mustCall: true, mayRepeat: false, finishReason: 'stop' });
    expect([said.answer, said.end]).toEqual([`<call>\n${CALL}\n</call>`, 'stop']);
    expect(said.events[0]!.kind).toBe('prompt');
  });

  it('detects bare JSON with a name as a call and generates it again under its schema', async () => {
    const bare = CALL.replace('arguments', 'parameters');
    const script = writing(`  {"name": "g", "oops`, bare);
    const said = await turn(script, { form: BARE, mayRepeat: false });
    expect([said.calls, said.text, said.answer]).toEqual([[{ name: 'f', arguments: '{"a": 1}' }], '', bare]);
    expect(script.requests[1]).toMatchObject({ promptIds: REQUEST.promptIds, constraint: PLAN.call });
  });

  it('returns other JSON and an unfinished opening as text', async () => {
    const free = { ...REQUEST, ending: PLAIN_ENDING };
    expect(await turn(writing('{"age": 5}'), { form: BARE }, 1_000, free)).toMatchObject({
      text: '{"age": 5}',
      calls: [],
      end: 'stop',
    });
    expect(await turn(writing('{"na'), { form: BARE }, 1_000, free)).toMatchObject({
      text: '{"na',
      calls: [],
      end: 'stop',
    });
  });

  it('continues where each stage ended, with another seed and without stop strings', async () => {
    const script = writing('x<call>', CALL, 'end');
    await turn(script, { mayRepeat: false });
    const [speaking, ...others] = script.requests;
    expect(speaking!.ending.stop).toEqual(['}', '<call>']);
    expect(speaking!.sampling.minTokens).toBe(3);
    expect(decode(others[0]!.promptIds)).toBe('Px<call>');
    expect(decode(others[1]!.promptIds)).toBe('Px<call>\n');
    for (const { ending, sampling } of others) expect([ending.stop, sampling.minTokens]).toEqual([[], 0]);
    expect(new Set(script.requests.map(({ sampling }) => sampling.seed)).size).toBe(script.requests.length);
  });

  it.each([
    [3, '', 'length', 0],
    [7, '', 'length', 0],
    [7 + 10, '', 'length', 0],
    [7 + CALL.length, '', 'tool_calls', 1],
    [7 + CALL.length + 3, '', 'tool_calls', 1],
  ])('returns what fits into %i tokens', async (maxTokens, text, end, calls) => {
    const said = await turn(writing(CALL, 'end'), { mustCall: true }, maxTokens);
    expect([said.text, said.end, said.calls.length]).toEqual([text, end, calls]);
    expect(said.answer).toHaveLength(maxTokens);
  });

  it('applies the text constraint when the model begins no call', async () => {
    const constraint = { kind: 'regex' as const, pattern: 'x' };
    const script = writing('hello', 'x');
    const said = await turn(script, {}, 1_000, { ...REQUEST, constraint });
    expect([said.text, said.answer, said.end]).toEqual(['x', 'x', 'stop']);
    expect(script.requests[1]).toMatchObject({ constraint, promptIds: REQUEST.promptIds });
  });

  it('calls instead of constrained text when the model begins a call', async () => {
    const constraint = { kind: 'regex' as const, pattern: 'x' };
    const said = await turn(writing('<call>', CALL, 'end'), {}, 1_000, { ...REQUEST, constraint });
    expect([said.calls.length, said.text]).toEqual([1, '']);
  });
});
