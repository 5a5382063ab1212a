import fc from 'fast-check';

import { AnswerStream } from './answer-stream.js';
import type { AnswerStreamOptions } from './answer-stream-options.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

const HEAD = '"id":"chatcmpl-up","object":"chat.completion.chunk","created":5,"model":"m"';
const chunk = (delta: unknown, finish: string | null = null, index = 0) =>
  `{${HEAD},"choices":[${JSON.stringify({ index, delta, logprobs: null, finish_reason: finish })}]}`;
const usage = (completion: number) =>
  `{${HEAD},"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":${completion},"total_tokens":11}}`;
const frame = (data: string, eol = '\n') => `data: ${data}${eol}${eol}`;
const DONE = frame('[DONE]');
const ROLE = frame(chunk({ role: 'assistant', content: '' }));
const text = (content: string) => frame(chunk({ content }));
const STOP = frame(chunk({}, 'stop'));
const USAGE = {
  promptTokens: 9,
  completionTokens: 2,
  cachedTokens: 0,
  reasoningTokens: 0,
  source: 'estimated',
} as const;

const open = (options: Partial<AnswerStreamOptions> = {}) =>
  new AnswerStream({
    choices: 1,
    names: { id: 'chatcmpl-up', model: null },
    model: 'asked',
    wantsUsageFrame: false,
    hasTokenFrames: true,
    ...options,
  });

/** Feeds chunks and returns what the caller would get, with the rest when the answer is complete. */
function read(stream: AnswerStream, chunks: readonly (string | Buffer)[]) {
  let shown = '';
  for (const bytes of chunks) {
    const { frames, failure } = stream.push(Buffer.from(bytes));
    shown += frames ?? '';
    if (failure !== null) return { shown, failure: failure.reason };
  }
  return { shown, failure: null };
}

describe('reading an answer stream', () => {
  it('passes frames byte for byte and holds back the finish frame', () => {
    const stream = open();
    expect(read(stream, [ROLE + text('a') + text('b') + STOP + DONE])).toEqual({
      shown: ROLE + text('a') + text('b'),
      failure: null,
    });
    expect([stream.isFinished, stream.isDone]).toEqual([true, true]);
    expect(stream.takeRest(USAGE).toString()).toBe(STOP + DONE);
  });

  it.each([
    ['line feeds', '\n'],
    ['carriage returns and line feeds', '\r\n'],
  ])('shows the same for any cut of the bytes, with %s', (_, eol) => {
    const whole = [chunk({ role: 'assistant', content: '' }), chunk({ content: 'a "\\ 🦜' }), chunk({ content: 'b' })]
      .map((data) => frame(data, eol))
      .join('');
    const rest = frame(chunk({}, 'stop'), eol) + frame('[DONE]', eol);
    const bytes = Buffer.from(whole + rest);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
        const at = [0, ...cuts.sort((left, right) => left - right), bytes.length];
        const stream = open();
        const shown = read(
          stream,
          at.slice(1).map((end, index) => bytes.subarray(at[index], end)),
        );
        expect(shown).toEqual({ shown: whole, failure: null });
        expect(stream.takeRest(USAGE).toString()).toBe(rest);
      }),
    );
  });

  it('sets the answer id in each frame, with or without a template', () => {
    const stream = open({ names: { id: 'chatcmpl-1', model: null } });
    const long = text('a word and '.repeat(9));
    const { shown } = read(stream, [ROLE, text('a'), text('b') + text('c\\'), long, text(''), STOP, DONE]);
    const all = shown + stream.takeRest(USAGE).toString();
    const theirs = ROLE + text('a') + text('b') + text('c\\') + long + text('') + STOP;
    const ours = theirs.replaceAll('chatcmpl-up', 'chatcmpl-1');
    expect(all).toBe(ours + DONE);
  });

  it.each([1, 2, 4, 4_096])('reads the first frame behind a byte order mark, %i bytes at a time', (size) => {
    const bytes = Buffer.from(`\ufeff${ROLE}${text('a')}`);
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    expect(read(open(), chunks)).toEqual({ shown: ROLE + text('a'), failure: null });
  });

  it('reads a stream that begins with a blank line', () => {
    expect(read(open(), ['\n', ROLE])).toEqual({ shown: ROLE, failure: null });
  });

  it.each([
    ['its first frame of text', [ROLE]],
    ['a later one', [ROLE, text('a'), text('b')]],
  ])('fails at text that is not UTF-8, in %s', (_, before) => {
    const good = text('x🦜');
    const bad = Buffer.from(good.replace('🦜', '~~~~'));
    // The first three bytes of a character of four.
    Buffer.from('🦜').copy(bad, bad.indexOf('~'), 0, 3);
    const stream = open();
    expect(read(stream, before).failure).toBeNull();
    expect(stream.passText(bad)).toBeNull();
    expect(read(stream, [bad])).toEqual({ shown: '', failure: 'damaged' });
    expect(read(open(), [...before, good])).toEqual({ shown: before.join('') + good, failure: null });
  });

  it('drops comments, and frames that were never a part of an answer', () => {
    const stream = open({ hasTokenFrames: false });
    const others = [`: x\n`, frame('5'), frame('keep-alive'), frame('["a"]'), frame('{"type":"ping"}')].join('');
    expect(read(stream, [`: hi\n\n${ROLE}${text('a')}${others}${text('b')}`])).toEqual({
      shown: ROLE + text('a') + text('b'),
      failure: null,
    });
    expect(stream.malformedFrames).toBe(4);
    read(stream, [STOP, DONE]);
    expect(stream.lostPart()).toBeNull();
  });

  const opener = JSON.stringify({ index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: '' } });
  it.each([
    ['cut within the opener of a tool call', frame(chunk({}).replace('{}', `{"tool_calls":[${opener.slice(0, 40)}`))],
    ['cut before anything shows', frame('{"id":"chatc')],
    ['without its beginning', frame(chunk({}).slice(90))],
    ['of choices that cannot be read', frame(chunk({}).replace('"delta":{}', '"delta":5'))],
    [
      'that is not UTF-8',
      Buffer.concat([Buffer.from('event: '), Buffer.of(0xff), Buffer.from(`\n${frame(chunk({}))}`)]),
    ],
  ])('fails at a damaged frame without text, %s, unless its tokens can be counted', (_, bytes) => {
    expect(read(open({ hasTokenFrames: false }), [ROLE, bytes]).failure).toBe('damaged');
    const uncounted = open();
    expect(read(uncounted, [ROLE, text('a'), bytes, STOP, DONE]).failure).toBeNull();
    expect(uncounted.lostPart()?.reason).toBe('damaged');
    const counted = open();
    read(counted, [ROLE, text('a'), bytes, STOP, frame(usage(2)), DONE]);
    expect(counted.lostPart()).toBeNull();
  });

  describe('with tool calls', () => {
    const part = (value: object) => frame(chunk({ tool_calls: [value] }));
    const lossOf = (...parts: string[]) => {
      const stream = open({ hasTokenFrames: false });
      expect(read(stream, [ROLE, ...parts, frame(chunk({}, 'tool_calls')), DONE]).failure).toBeNull();
      return stream.lostPart()?.reason ?? null;
    };
    const args = { index: 0, function: { arguments: '{}' } };

    it.each([
      ['whose opener was lost', [part(args)]],
      ['whose opener is empty', [part({ index: 0, id: null, function: { name: null, arguments: '' } }), part(args)]],
      ['one of which has no name', [part(JSON.parse(opener)), part({ ...args, index: 1 })]],
      ['of the older form without a name', [frame(chunk({ function_call: { arguments: '{}' } }))]],
    ])('is damaged when it has calls %s', (_, parts) => {
      expect(lossOf(...parts)).toBe('damaged');
    });

    it.each([
      ['of a function', [part(JSON.parse(opener)), part(args)]],
      ['whose parts have no index', [part({ ...JSON.parse(opener), index: undefined }), part({ function: {} })]],
      ['of a custom tool', [part({ index: 0, id: 'c', type: 'custom', custom: { name: 'f', input: 'x' } })]],
      ['of the older form', [frame(chunk({ function_call: { name: 'f', arguments: '' } }))]],
      ['named late', [part({ index: 0, id: 'c' }), part({ index: 0, function: { name: 'f' } })]],
      ['without any part', [part({ index: 0 })]],
    ])('is whole when its calls are %s', (_, parts) => {
      expect(lossOf(...parts)).toBeNull();
    });
  });

  const reportedTwo = '{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}';
  const withUsage = (data: string) => frame(data.replace(/}$/, `,"usage":${reportedTwo}}`));
  it.each([
    ['with the usage', withUsage(chunk({}, 'stop'))],
    ['with the usage and an empty text', withUsage(chunk({ role: 'assistant', content: '' }, 'stop'))],
    ['with the usage and no finish_reason', withUsage(chunk({ role: 'assistant', content: '' }))],
    ['as it was', STOP],
  ])('passes one end when the upstream repeats it %s', (_, repeated) => {
    const stream = open({ wantsUsageFrame: true });
    expect(read(stream, [ROLE, text('a'), STOP, repeated, repeated, DONE]).failure).toBeNull();
    expect(stream.lostPart()).toBeNull();
    expect(stream.tokenFrames).toBe(2);
    const [end, last, ...others] = stream
      .takeRest(USAGE)
      .toString()
      .split(/(?<=\n\n)/);
    expect(end).toBe(STOP);
    expect(JSON.parse((last as string).slice('data: '.length))).toMatchObject({
      choices: [],
      usage: { total_tokens: 11 },
    });
    expect(others).toEqual([DONE]);
  });

  it('reads a frame with usage and without choices as the usage frame', () => {
    const bare = frame(`{${HEAD},"usage":${reportedTwo}}`);
    const asked = open({ wantsUsageFrame: true });
    expect(read(asked, [ROLE, text('a'), STOP, bare, DONE]).failure).toBeNull();
    expect(asked.usage).toMatchObject({ completionTokens: 2, source: 'upstream' });
    expect(asked.malformedFrames).toBe(0);
    expect(asked.takeRest(USAGE).toString()).toBe(STOP + frame(`{${HEAD},"choices":[],"usage":${reportedTwo}}`) + DONE);
    const unasked = open();
    read(unasked, [ROLE, text('a'), STOP, frame(`{${HEAD},"choices":null,"usage":${reportedTwo}}`), DONE]);
    expect(unasked.takeRest(USAGE).toString()).toBe(STOP + DONE);
  });

  it.each([
    ['a frame that finishes', [withUsage(chunk({}, 'stop'))]],
    ['a frame that finishes, and one of its own', [withUsage(chunk({}, 'stop')), frame(usage(2))]],
    ['frames of text', [withUsage(chunk({ content: 'b' })), withUsage(chunk({ content: 'c' })), STOP]],
    ['two frames of its own', [STOP, frame(usage(1)), frame(usage(2))]],
  ])('returns the usage once, where it was asked for, when the upstream reports it in %s', (_, frames) => {
    const shownBy = (wantsUsageFrame: boolean) => {
      const stream = open({ wantsUsageFrame, hasTokenFrames: false });
      const { shown, failure } = read(stream, [ROLE, text('a'), ...frames, DONE]);
      expect(failure).toBeNull();
      return shown + stream.takeRest(USAGE).toString();
    };
    expect(shownBy(true).match(/"usage":{/g)).toHaveLength(1);
    expect(shownBy(true)).toContain(`"choices":[],"usage":${reportedTwo}}`);
    expect(shownBy(false)).not.toContain('"usage":{');
  });

  it('leaves the usage so far in each frame where the caller asked for that', () => {
    const stream = open({ wantsUsageFrame: true, wantsContinuousUsage: true });
    const texts = [withUsage(chunk({ content: 'b' })), withUsage(chunk({ content: 'c' }))];
    expect(read(stream, [ROLE, ...texts, STOP, frame(usage(2)), DONE])).toEqual({
      shown: ROLE + texts.join(''),
      failure: null,
    });
    expect(stream.takeRest(USAGE).toString()).toBe(STOP + frame(usage(2)) + DONE);
  });

  it('reads and writes data of several lines', () => {
    const split = text('a').replace('"object"', '\ndata: "object"');
    expect(read(open(), [split])).toEqual({ shown: split, failure: null });
    expect(read(open({ names: { id: 'x', model: null } }), [split])).toEqual({
      shown: split.replace('chatcmpl-up', 'x'),
      failure: null,
    });
  });

  it.each([
    ['a frame cut amid its text', text('a').slice(0, -12) + '\n\n', 'damaged'],
    ['an error frame', frame('{"error":{"message":"gone"}}'), 'reported'],
    ['an error event', 'event: error\ndata: {"message":"gone"}\n\n', 'reported'],
    ['finish_reason error', frame(chunk({}, 'error')), 'reported'],
    ['finish_reason abort', frame(chunk({}, 'abort')), 'reported'],
    ['[DONE] without a finish_reason', DONE, 'interrupted'],
    ['two finish_reasons', STOP + frame(chunk({}, 'length')), 'damaged'],
    ['text after the finish_reason', STOP + text('z'), 'damaged'],
    ['an unrequested choice', frame(chunk({ content: 'x' }, null, 1)), 'mismatched'],
    ['an error frame that blames the request', frame('{"error":{"message":"no","code":400}}'), 'rejected'],
    ['an error frame about the rate', frame('{"error":{"message":"slow down","code":"429"}}'), 'rate_limited'],
    ['an endless frame', 'x'.repeat(4_200_000), 'oversized'],
  ])('fails at %s', (_, bytes, failure) => {
    expect(read(open(), [ROLE, text('a'), bytes])).toEqual({ shown: ROLE + text('a'), failure });
  });

  it('reads an empty finish_reason as none', () => {
    const stream = open();
    const empty = ['a', 'b', 'c'].map((content) => frame(chunk({ content }, ''))).join('');
    expect(read(stream, [empty])).toEqual({ shown: empty, failure: null });
    expect(stream.isFinished).toBe(false);
    expect(read(stream, [DONE]).failure).toBe('interrupted');
  });

  it('reads text that looks like protocol as text', () => {
    const hostile = text('\n\ndata: [DONE]\n\n') + text('","finish_reason":"stop"}]}') + text('finish_reason');
    const stream = open();
    expect(read(stream, [ROLE, text('a'), hostile])).toEqual({ shown: ROLE + text('a') + hostile, failure: null });
    expect(stream.isFinished).toBe(false);
  });

  it('fails on text after the end of its choice', () => {
    const of = (index: number, delta: unknown, finish: string | null = null) => frame(chunk(delta, finish, index));
    const stream = open({ choices: 2 });
    const start = of(0, { content: 'a' }) + of(0, { content: 'b' }) + of(0, {}, 'stop') + of(1, { content: 'c' });
    expect(read(stream, [start, of(0, { content: 'd' })])).toEqual({ shown: start, failure: 'mismatched' });
  });

  it.each([
    ['one choice', STOP + DONE, 'mismatched'],
    ['a choice that began', frame(chunk({ role: 'assistant' }, null, 1)) + STOP + DONE, 'interrupted'],
    ['nothing', DONE, 'interrupted'],
  ])('tells an answer of too few choices from one that broke off: %s of two', (_, bytes, failure) => {
    expect(read(open({ choices: 2 }), [ROLE, bytes]).failure).toBe(failure);
  });

  it('detects missing tokens after a dropped frame', () => {
    const lost = open();
    read(lost, [ROLE, text('a'), frame('{"id":"chatc'), STOP, frame(usage(3)), DONE]);
    expect(lost.lostPart()?.reason).toBe('damaged');
    const whole = open();
    read(whole, [ROLE, text('a'), frame('{"id":"chatc'), text('b'), STOP, frame(usage(3)), DONE]);
    expect(whole.lostPart()).toBeNull();
  });

  it('holds back a finish frame while tokens may be missing', () => {
    const stream = open({ choices: 2 });
    const broken = frame('{"id":"chatc');
    expect(read(stream, [text('a') + broken + STOP + text('')]).shown).toBe(text('a') + text(''));
  });

  it('returns a usage frame only on request, and writes one when the upstream sends none', () => {
    const all = [ROLE, text('a'), STOP, frame(usage(2)), DONE];
    const without = open();
    read(without, all);
    expect(without.usage?.completionTokens).toBe(2);
    expect(without.takeRest(USAGE).toString()).toBe(STOP + DONE);
    const asked = open({ wantsUsageFrame: true });
    read(asked, all);
    expect(asked.takeRest(USAGE).toString()).toBe(STOP + frame(usage(2)) + DONE);
    const missing = open({ wantsUsageFrame: true });
    read(missing, [ROLE, text('a'), STOP, DONE]);
    const own = usage(2).replace('}}', ',"prompt_tokens_details":{"cached_tokens":0}}}');
    expect(missing.takeRest(USAGE).toString()).toBe(STOP + frame(own) + DONE);
  });

  it('writes what the upstream reported, whole, when its finish frame has the usage', () => {
    const reported =
      '{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11,"completion_tokens_details":{"reasoning_tokens":1},"x_cost":0.25}';
    const finish = frame(chunk({}, 'stop').replace(/}$/, `,"usage":${reported}}`));
    const stream = open({ wantsUsageFrame: true });
    read(stream, [ROLE, text('a'), finish, DONE]);
    const own = frame(`{${HEAD},"choices":[],"usage":${reported}}`);
    expect(stream.takeRest(USAGE).toString()).toBe(finish.replace(reported, 'null') + own + DONE);
  });

  it('names the model and the time in its own frame when the upstream names none', () => {
    const before = Math.floor(Date.now() / 1_000);
    const stream = open({ wantsUsageFrame: true });
    read(stream, [frame('{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}'), DONE]);
    const [, own] = stream.takeRest(USAGE).toString().split('\n\n');
    const { created, model, usage: shown } = JSON.parse((own as string).slice('data: '.length));
    expect([model, shown.completion_tokens]).toEqual(['asked', 2]);
    expect(created).toBeGreaterThanOrEqual(before);
  });

  it('ends with the body, with or without a last blank line', () => {
    const stream = open();
    read(stream, [ROLE, text('a'), STOP.trimEnd()]);
    expect(stream.end()).toMatchObject({ frames: null, hasAnswer: false, failure: null });
    expect(stream.takeRest(USAGE).toString()).toBe(STOP + DONE);
    expect(open().end().failure?.reason).toBe('interrupted');
  });
});
