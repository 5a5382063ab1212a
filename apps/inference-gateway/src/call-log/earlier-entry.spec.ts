import { upgradeEntry } from './earlier-entry.js';
import { SEPARATOR } from './journalled-entry.js';
import { readCall } from './logged-call.js';

const UID = '019bc119-0200-7000-8000-000000000001';
/** As the first gateway that kept chats journalled it. */
const USAGE = Buffer.from(
  `{"uid":"${UID}","startedAt":"2026-01-15T10:00:00.000Z","rid":"r-1","responseId":"chatcmpl-r-1","keyId":"k",` +
    '"userId":"u","projectId":"p","modelAsked":"alias","modelAnswered":"m","target":"embedded/m","status":"ok",' +
    '"attempts":[{"target":"embedded/m","outcome":"ok","ms":5}],"promptTokens":3,"completionTokens":2,"isStream":true,' +
    '"ttftMs":4,"durationMs":250}',
);
const FACTS = {
  ...{ id: 'r-1', projectId: 'local/default', threadId: 't', metadata: '{"n":1.0}' },
  checkpoint: { name: 'm', modelId: 'model', step: 2 },
  tokens: { promptIds: [1, 2, 3], choices: [{ ids: [4, 5], logprobs: [-0.5, -1] }] },
};
const entryOf = (...parts: string[]) => Buffer.from(parts.join(SEPARATOR));

describe('an entry that an earlier gateway left in its journal', () => {
  it('becomes the call that it would have become', async () => {
    const entry = upgradeEntry(USAGE, entryOf('{"messages":[]}', '{"choices":[]}', JSON.stringify(FACTS)), 'hone');
    const call = await readCall(entry as Buffer);
    expect(JSON.parse(`${call?.row}}`)).toMatchObject({
      ...{ uid: UID, i: 'r-1', op: 'hone:///local/default/op/chat.completions:v0', tr: UID, th: 't' },
    });
    const textOf = (name: 'attributes' | 'inputs' | 'output' | 'summary') => call?.values[name].bytes.toString();
    expect([textOf('inputs'), textOf('output')]).toEqual(['{"messages":[]}', '{"choices":[]}']);
    expect(textOf('attributes')).toBe(
      '{"model":"m","route":"alias","target":"embedded/m","attempts":[{"target":"embedded/m","outcome":"ok","ms":5}],' +
        '"key_id":"k","request_id":"r-1","stream":true,"ttft_ms":4,"metadata":{"n":1.0},"model_id":"model","step":2,' +
        '"hone":{"tokens":{"prompt_token_ids":[1,2,3],"choices":[{"token_ids":[4,5],"logprobs":[-0.5,-1]}]}}}',
    );
    expect(JSON.parse(textOf('summary') as string)).toEqual({
      usage: { m: { requests: 1, prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } },
    });
  });

  it('without content has none', async () => {
    const facts = { id: 'r-1', projectId: 'local/default', isWithoutContent: true };
    const entry = upgradeEntry(USAGE, entryOf('{}', 'null', JSON.stringify(facts)), 'hone');
    const call = await readCall(entry as Buffer);
    expect(call?.values.attributes.bytes.toString()).toContain('"content_logged":false');
  });

  it('is found though its answer has separators', async () => {
    const answer = ['no JSON', 'x', 'y', 'z'].join(SEPARATOR);
    const earlier = entryOf('{}', answer, JSON.stringify(FACTS));
    expect(readCall(earlier)).toBeNull();
    const call = await readCall(upgradeEntry(USAGE, earlier, 'hone') as Buffer);
    expect(JSON.parse(`${call?.row}}`)).toMatchObject({ i: 'r-1' });
  });

  it('is none where it has another form', () => {
    for (const entry of [entryOf('{}'), entryOf('{}', 'null'), entryOf('{}', 'null', 'no JSON')])
      expect(upgradeEntry(USAGE, entry, 'hone')).toBeNull();
  });
});
