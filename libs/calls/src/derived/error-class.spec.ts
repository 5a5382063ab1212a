import { errorClassOf } from './error-class.js';

const TRACEBACK = `Traceback (most recent call last):
  File "a.py", line 1, in f
    raise KeyError("x")
KeyError: 'x'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "a.py", line 3, in g
    raise RuntimeError("two\\nlines") from error
my.errors.RuntimeError: two
lines
`;

describe('errorClassOf', () => {
  it.each([
    ['nothing', null, null],
    ['an empty text', '', null],
    ['blanks', ' \n ', null],
    ['a type and its message', 'openai.RateLimitError: Too many requests: 429', 'openai.RateLimitError'],
    ['a type alone', 'TimeoutError:', 'TimeoutError'],
    ['an error of JavaScript with its stack', 'TypeError: x is not a function\n    at f (a.js:1:2)', 'TypeError'],
    ['an error that nobody caught', 'Uncaught RangeError: deep', 'RangeError'],
    ['a code', 'upstream.timeout', 'upstream.timeout'],
    ['a sentence', 'The server: it fell over.\nAgain.', 'The server: it fell over.'],
    ['an address', 'https://example.com failed', 'https://example.com failed'],
    ['the last of several tracebacks', TRACEBACK, 'my.errors.RuntimeError'],
    [
      'a traceback that was cut',
      'Traceback (most recent call last):\n  File "a.py"',
      'Traceback (most recent call last):',
    ],
    ['JSON with a type', '{"type": "ValueError", "message": "no", "traceback": "…"}', 'ValueError'],
    ['the body of an answer', '{"error": {"message": "no", "type": "invalid_request_error"}}', 'invalid_request_error'],
    ['JSON without a type', '{"type": 3, "error": []}', '{"type": 3, "error": []}'],
    ['what only begins as JSON', '{"type": "ValueError"', '{"type": "ValueError"'],
    ['keys that objects have anyway', '{"__proto__": {"type": "x"}}', '{"__proto__": {"type": "x"}}'],
    ['a long text, cut', `${'x'.repeat(127)}😀`, `${'x'.repeat(127)}\ufffd`],
  ])('of %s', (_what, exception, expected) => {
    expect(errorClassOf(exception)).toBe(expected);
  });

  it('takes little time for large texts', () => {
    for (const text of ['{'.repeat(8e6), 'a.'.repeat(4e6), `${'Traceback (most recent call last):\n '.repeat(2e5)}`])
      expect(errorClassOf(text)?.length).toBeLessThanOrEqual(128);
  });
});
