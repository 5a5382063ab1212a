import { parseJson } from '@hone/client';

import { LANGUAGES } from './request-code.js';
import { requestOfCall } from './request-of-call.js';

const messages = [{ role: 'user', content: `it's` }];
const codeOf = (name: string, inputs: unknown, output: unknown = null) => {
  const request = requestOfCall(inputs, output);
  const language = LANGUAGES.find((one) => one.name === name);
  return request && language?.toCode({ ...request, origin: 'http://hone', projectId: 'acme/demo' });
};

describe('the request of a call', () => {
  it('is a chat completion without what the client added, its numbers exact', () => {
    const inputs = parseJson(
      `{"self":{},"model":"m","messages":${JSON.stringify(messages)},"stream":true,"seed":12345678901234567890,"user":null}`,
    );
    expect(Object.keys(requestOfCall(inputs, null)?.fields ?? {})).toEqual(['model', 'messages', 'seed']);
    const code = codeOf('curl', inputs);
    expect(code).toContain(`curl 'http://hone/v1/chat/completions'`);
    expect(code).toContain('"seed": 12345678901234567890');
    expect(code).toContain(`it'\\''s`);
  });

  it('is in the API that the call has the form of', () => {
    const answer = { type: 'message', content: [] };
    expect(codeOf('python', { model: 'm', max_tokens: 9, messages }, answer)).toContain('client.messages.create(');
    expect(codeOf('typescript', { model: 'm', input: 'q' }, { output: [] })).toContain('client.responses.create({');
    expect(codeOf('python', { model: 'm', messages, top_k: 3 })).toContain('    extra_body={\n        "top_k": 3,');
  });

  it.each([[{ messages }], [{ model: 'm', input: 'embed' }], [{ model: 3, messages }], [{ q: 1 }], [null], ['x']])(
    'is none in %j',
    (inputs) => expect(requestOfCall(inputs, null)).toBeNull(),
  );
});
