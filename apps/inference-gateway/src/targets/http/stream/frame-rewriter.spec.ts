import { ObjectOutline } from '@hone/json/bytes';

import { readFrame } from '../../../wire/sse/sse-frame.js';
import { FrameRewriter } from './frame-rewriter.js';

const REF = 'hone-artifact:///acme/demo/agent:step3';
const named = new FrameRewriter({ id: 'chatcmpl-r', model: REF });
const unnamed = new FrameRewriter({ id: 'chatcmpl-r', model: null });

describe('FrameRewriter', () => {
  it.each([
    ['{"id":"x","model":"m-s3","n":1.0}', `{"id":"chatcmpl-r","model":"${REF}","n":1.0}`],
    ['{"model": "m-s3" , "id" : "x"}', `{"model": "${REF}" , "id" : "chatcmpl-r"}`],
    ['{"choices":[{"id":"x","model":"m"}]}', '{"choices":[{"id":"x","model":"m"}]}'],
    [`{"id":"chatcmpl-r","model":"${REF}"}`, `{"id":"chatcmpl-r","model":"${REF}"}`],
    ['{"id":null,"model":null}', `{"id":"chatcmpl-r","model":"${REF}"}`],
  ])('names the answer and its model: %s', (json, expected) => {
    expect(named.body(Buffer.from(json)).toString()).toBe(expected);
    const frame = readFrame(Buffer.from(`data: ${json}\n\n`));
    expect(named.frame(frame, named.splicesOfFrame(frame), '\n').toString()).toBe(`data: ${expected}\n\n`);
  });

  it('leaves the model of other upstreams as it is', () => {
    expect(unnamed.body(Buffer.from('{"id":"x","model":"m"}')).toString()).toBe('{"id":"chatcmpl-r","model":"m"}');
  });

  it('names a body that was read in parts', () => {
    const body = Buffer.from('{"model":"m-s3","choices":[],"id":"x"}');
    const outline = new ObjectOutline({
      members: new Set(['id', 'model']),
      list: 'choices',
      itemMembers: new Set(),
      maxItems: 1,
    });
    for (const byte of body) outline.push(Buffer.of(byte));
    const expected = `{"model":"${REF}","choices":[],"id":"chatcmpl-r"}`;
    expect(named.outlinedBody(body, outline.members).toString()).toBe(expected);
    expect(unnamed.outlinedBody(body, outline.members).toString()).toBe(expected.replace(REF, 'm-s3'));
  });

  it('names the model in a usage frame of its own', () => {
    const facts = { created: 5, model: 'm-s3', system_fingerprint: undefined };
    expect(named.usageFrame(facts, { total_tokens: 1 }, '\n').toString()).toContain(`"model":"${REF}"`);
    expect(unnamed.usageFrame(facts, { total_tokens: 1 }, '\n').toString()).toContain('"model":"m-s3"');
  });
});
