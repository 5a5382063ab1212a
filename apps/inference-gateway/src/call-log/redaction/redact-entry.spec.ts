import { redactEntry, withoutTokens } from './redact-entry.js';

const NONE = { inputs: null, output: null, metadata: null, thread: null };
const inputsOf = (rules: { paths?: string[]; patterns?: string[] }, inputs: string) => {
  const { inputs: done, hasChanged } = redactEntry({ paths: [], patterns: [], ...rules }, { ...NONE, inputs });
  return [done, hasChanged];
};

describe('redaction of a call', () => {
  it.each([
    ['inputs.a', '{"a":{"b":1}}', '{"a":"[redacted]"}'],
    ['inputs.list.*.b', '{"list":[{"b":1,"c":2},{"c":3},4]}', '{"list":[{"b":"[redacted]","c":2},{"c":3},4]}'],
    ['inputs.list.1', '{"list":[1,2]}', '{"list":[1,"[redacted]"]}'],
    ['inputs.*', '{"a":1,"__proto__":2}', '{"a":"[redacted]","__proto__":"[redacted]"}'],
  ])('removes what is at %s', (path, before, after) => {
    expect(inputsOf({ paths: [path] }, before)).toEqual([after, true]);
  });

  it.each([
    'inputs.x',
    'inputs.a.b.c',
    'inputs.list.length',
    'inputs.list.7',
    'inputs.constructor',
    'inputs.__proto__.x',
  ])('changes nothing where nothing is at %s, not even a space', (path) => {
    const before = '{ "a": {"b": 1.50}, "list": [1] }';
    expect(inputsOf({ paths: [path] }, before)).toEqual([before, false]);
  });

  it('removes matches from texts and keys, however they are escaped', () => {
    const before = '{"a":"x s\\u0065cret y","secret":[["SECRET",1.50]]}';
    const after = '{"a":"x [redacted] y","[redacted]":[["[redacted]",1.50]]}';
    expect(inputsOf({ patterns: ['(?i)secret'] }, before)).toEqual([after, true]);
  });

  it('takes a backslash or dollar in a text for what it is', () => {
    expect(inputsOf({ patterns: ['b+'] }, '{"a":"$1 b \\\\1"}')).toEqual(['{"a":"$1 [redacted] \\\\1"}', true]);
  });

  it.each([
    [{ paths: [], patterns: ['('] }, '{}'],
    [{ paths: [], patterns: ['a'] }, '{"a":'],
    [{ paths: [], patterns: ['a'] }, `${'['.repeat(600)}${']'.repeat(600)}`],
  ])('fails rather than let pass what it cannot read: %j', (rules, inputs) => {
    expect(() => redactEntry(rules, { ...NONE, inputs })).toThrow();
  });

  it('removes the thread that a removed user is', () => {
    const rules = { paths: ['inputs.user'], patterns: [] };
    expect(redactEntry(rules, { ...NONE, thread: 'u1', isThreadOfUser: true }).thread).toBeNull();
    expect(redactEntry(rules, { ...NONE, thread: 't1', isThreadOfUser: false }).thread).toBe('t1');
  });

  it.each([
    ['inputs.metadata.mail', '{"mail":"[redacted]","n":1.5}'],
    ['metadata.mail', '{"mail":"[redacted]","n":1.5}'],
    ['inputs.metadata', '{"mail":"[redacted]","n":"[redacted]"}'],
  ])('removes what is at %s from the inputs and from the metadata, where the body has both', (path, metadata) => {
    const mail = '{"mail":"a@b","n":1.5}';
    const texts = { ...NONE, inputs: `{"metadata":${mail}}`, metadata: mail };
    const redacted = redactEntry({ paths: [path], patterns: [] }, { ...texts, isMetadataOfBody: true });
    expect(redacted.metadata).toBe(metadata);
    expect(redacted.inputs).not.toContain('a@b');
    expect(redactEntry({ paths: ['inputs.*'], patterns: [] }, texts).metadata).toBe(mail);
  });

  it('leaves an answer no tokens that spell it', () => {
    const answer = {
      choices: [{ message: { content: 'x' }, logprobs: { content: [] }, token_ids: [1], prompt_token_ids: [2] }, 7],
      prompt_token_ids: [1],
      prompt_logprobs: [null],
      usage: { prompt_tokens: 1 },
    };
    expect(JSON.parse(withoutTokens(JSON.stringify(answer)))).toEqual({
      choices: [{ message: { content: 'x' }, logprobs: null, token_ids: null, prompt_token_ids: null }, 7],
      prompt_token_ids: null,
      prompt_logprobs: null,
      usage: { prompt_tokens: 1 },
    });
  });
});
