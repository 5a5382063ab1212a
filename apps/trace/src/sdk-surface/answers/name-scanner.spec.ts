import fc from 'fast-check';

import { NameScanner } from './name-scanner.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

/** Renames a text that comes in pieces that end at these bytes. */
function renamed(text: string, cuts: readonly number[] = [], fields?: ReadonlyMap<string, string>): string {
  const scanner = new NameScanner('hone', fields);
  const bytes = Buffer.from(text);
  const out: Buffer[] = [];
  let from = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    out.push(scanner.push(bytes.subarray(from, cut)));
    from = cut;
  }
  out.push(scanner.push(bytes.subarray(from)), scanner.end());
  return Buffer.concat(out).toString();
}

/** The same, byte by byte. */
const bytewise = (text: string): string =>
  renamed(
    text,
    Array.from({ length: Buffer.byteLength(text) }, (_one, index) => index),
  );

const CASES: [what: string, own: string, sdk: string][] = [
  [
    'typed fields',
    '{"trace_ref":"a","svc_user_id":1,"run_id":null}',
    '{"weave_ref":"a","wb_user_id":1,"wb_run_id":null}',
  ],
  ['refs, free ones too', '{"inputs":{"a":["hone:///e/p/op/x:v0"]}}', '{"inputs":{"a":["weave:///e/p/op/x:v0"]}}'],
  [
    'nothing but refs of free values',
    '{"val":{"trace_ref":1,"summary":{"hone":2}}}',
    '{"val":{"trace_ref":1,"summary":{"hone":2}}}',
  ],
  ['no keys that look like refs', '{"output":{"hone:///e/p":1}}', '{"output":{"hone:///e/p":1}}'],
  ['no refs amid a text', '{"output":"see hone:///e/p"}', '{"output":"see hone:///e/p"}'],
  ['types of feedback', '{"feedback_type":"hone.note.1"}', '{"feedback_type":"wandb.note.1"}'],
  ['no other type', '{"feedback_type":"honest"}', '{"feedback_type":"honest"}'],
  [
    'the computed part of a summary',
    '{"summary":{"a":1,"hone":{"status":"x"}}}',
    '{"summary":{"a":1,"weave":{"status":"x"}}}',
  ],
  [
    'what else a summary holds',
    '{"summary":{"weave":{"run_id":1},"run_id":1}}',
    '{"summary":{"hone":{"run_id":1},"run_id":1}}',
  ],
  [
    'feedback within a computed part',
    '{"summary":{"hone":{"feedback":[{"trace_ref":"hone:///a/b/call/c","payload":{"run_id":1}}]}}}',
    '{"summary":{"weave":{"feedback":[{"weave_ref":"weave:///a/b/call/c","payload":{"run_id":1}}]}}}',
  ],
  [
    'flat paths',
    '{"summary.hone.status":"error","inputs.run_id":1}',
    '{"summary.weave.status":"error","inputs.run_id":1}',
  ],
  ['fields after free values', '{"val":[{"a":{}}],"run_id":1}', '{"val":[{"a":{}}],"wb_run_id":1}'],
  ['each line', '{"run_id":1}\n{"run_id":2}\n', '{"wb_run_id":1}\n{"wb_run_id":2}\n'],
  [
    'escapes',
    '{"payload":{"a\\"run_id":"\\\\","b":"\\\\\\""},"run_id":"\\\\"}',
    '{"payload":{"a\\"run_id":"\\\\","b":"\\\\\\""},"wb_run_id":"\\\\"}',
  ],
  ['numbers as they are', '{"run_step":1.0,"n":1e400,"m":-0}', '{"wb_run_step":1.0,"n":1e400,"m":-0}'],
  [
    'what was not asked for of a version',
    '{"objs":[{"is_latest":1,"val":{},"svc_user_id":"u"},{"is_latest":0,"tags":[],"aliases":["a"]}]}',
    '{"objs":[{"is_latest":1,"val":{},"wb_user_id":"u","size_bytes":null,"tags":null,"aliases":null},{"is_latest":0,"tags":[],"aliases":["a"],"size_bytes":null}]}',
  ],
  [
    'texts beside feedback',
    '{"sdk_extras.span_trace_id":"t","sdk_extras.span_status_code":null,"sdk_extras.span_agent_name":null,"id":"a"}',
    '{"span_trace_id":"t","span_status_code":"UNSET","span_agent_name":"","id":"a"}',
  ],
  ['no JSON', 'hone:///"hone:///', 'hone:///"weave:///'],
];

describe('the names of an answer', () => {
  it.each(CASES)('change: %s', (_what, own, sdk) => {
    expect(renamed(own)).toBe(sdk);
    expect(bytewise(own)).toBe(sdk);
  });

  it('are the same however the answer is cut', () => {
    const text = `[${CASES.slice(0, -1)
      .map(([, own]) => own.trim().replaceAll('\n', ','))
      .join(',')}]`;
    const whole = renamed(text);
    fc.assert(
      fc.property(fc.array(fc.nat(Buffer.byteLength(text)), { maxLength: 12 }), (cuts) => {
        expect(renamed(text, cuts)).toBe(whole);
      }),
    );
  });

  it('leave any JSON the same value, but for what they rename', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), (text) => {
        expect(renamed(`{"val":${text}}`)).toBe(`{"val":${text}}`);
        expect(renamed(text)).toBe(text);
      }),
    );
  });

  it('are those of each row alone, whatever fields the rows before it had', () => {
    const key = fc.oneof(
      fc.constantFrom(
        'trace_ref',
        'run_id',
        'run_step',
        'run_step_end',
        'summary',
        'inputs',
        'feedback_type',
        'is_latest',
      ),
      fc.nat(300).map((n) => `k${n}`),
    );
    const value = fc.constantFrom<unknown>(1, 'hone:///a/b', 'hone.note.1', { hone: { run_id: 1 } }, [{ run_id: 'x' }]);
    fc.assert(
      fc.property(fc.array(fc.dictionary(key, value), { maxLength: 60 }), (rows) => {
        const lines = rows.map((row) => JSON.stringify(row));
        expect(renamed(lines.join('\n'))).toBe(lines.map((line) => renamed(line)).join('\n'));
      }),
    );
  });

  it('can be those of one route alone', () => {
    const fields = new Map([['model', 'llm_id']]);
    expect(renamed('[{"model":"m","usage":{"model":1}}]', [], fields)).toBe('[{"llm_id":"m","usage":{"model":1}}]');
  });

  it('look at each byte of a long text once', () => {
    const quotes = '\\"'.repeat(2_000_000);
    const backslashes = '\\\\'.repeat(2_000_000);
    const text = `{"val":["${quotes}","${backslashes}",${'['.repeat(500_000)}${']'.repeat(500_000)}],"run_id":1}`;
    expect(renamed(text) === text.replace('run_id', 'wb_run_id')).toBe(true);
  });
});
