import { type ContractApp, issuesOf, said, startContractApp } from './contract.fixture.js';
import { SIMPLE_FIELDS } from './simple-fields.fixture.js';
import { STRUCTURED_FIELDS } from './structured-fields.fixture.js';

const list = <T>(length: number, item: T): T[] => Array(length).fill(item);
const CASES = [...SIMPLE_FIELDS, ...STRUCTURED_FIELDS];

/** A request with `value` at a dotted path. */
function requestWith(path: string, value: unknown): object {
  const [field, ...rest] = path.split('.') as [string, ...string[]];
  if (rest.length === 0) return { [field]: value };
  if (field === 'messages') return { messages: [{ role: 'user', content: 'x', [rest[1]!]: value }] };
  return { [field]: { [rest[0]!]: value } };
}

describe('each field of a chat completion', () => {
  let gateway: ContractApp;
  beforeAll(async () => {
    gateway = await startContractApp();
  });
  afterAll(() => gateway.close());

  it.each(CASES)('passes at its limits: %s', async (field, inside) => {
    for (const value of inside) {
      const { status, text: body } = await gateway.ask({ max_tokens: 2, ...requestWith(field, value) });
      expect({ value, status, body: status === 200 ? '' : body }).toEqual({ value, status: 200, body: '' });
    }
  });

  it.each(CASES)('is refused beyond them, and with another type, with its path: %s', async (field, _, outside) => {
    for (const [value, issue] of outside) {
      const [place, type] = issue.includes(' ') ? issue.split(' ') : [undefined, issue];
      const loc = ['body', field, ...(place ? [place] : [])].join('.');
      const model = field === 'model' ? {} : { model: 'ok' };
      const answer = await gateway.ask({ ...model, ...requestWith(field, value) });
      expect({ value, issues: issuesOf(answer) }).toEqual({ value, issues: [`${loc} ${type}`] });
    }
    expect(gateway.fake.count()).toBe(0);
  });

  it('accepts the most choices and top log-probabilities', async () => {
    expect((await gateway.answer({ n: 128, max_tokens: 1 })).choices).toHaveLength(128);
    const { choices } = await gateway.answer({ logprobs: true, top_logprobs: 20, max_tokens: 1 });
    expect(choices[0]!.logprobs!.content[0]!.top_logprobs).toHaveLength(20);
    for (const top_logprobs of [21, -1, 1.5]) {
      const type = top_logprobs === 21 ? 'less_than_equal' : top_logprobs === -1 ? 'greater_than_equal' : 'int_type';
      expect(issuesOf(await gateway.ask({ logprobs: true, top_logprobs }))).toEqual([`body.top_logprobs ${type}`]);
    }
  });

  it('is reported with others, ten at most, within 8 KiB', async () => {
    const wide = '\u0001'.repeat(5_000);
    const messages = list(60, { role: 1, content: 'x' });
    const deep = { [wide]: list(90, 0).reduce<object>((inner) => ({ [wide.slice(0, 400)]: inner }), { a: 1 }) };
    const bodies = [
      { messages },
      { logit_bias: Object.fromEntries(list(60, 0).map((_, at) => [wide + at, 0])) },
      { engine_xargs: Object.fromEntries(list(60, 0).map((_, at) => [wide + at, {}])) },
      { model: wide },
      deep,
    ];
    const answers = await Promise.all(bodies.map((fields) => gateway.ask(fields)));
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422, 200]);
    for (const { text: body } of answers) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(8_192);
    expect(answers[0]!.json().detail).toHaveLength(10);
    expect(answers[0]!.json().error.message).toBe('body.messages.0.role: Input should be a valid string (and 59 more)');
    const infinite = JSON.stringify({ model: 'hone-tiny', messages: said('x'), ...deep }).replace(
      '{"a":1}',
      '{"a":1e999}',
    );
    const { status, text: body } = await gateway.caller.post('/v1/chat/completions', infinite);
    expect(status).toBe(422);
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(8_192);
  });
});
