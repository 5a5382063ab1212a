import { ask, type Fields, joined, ofWhole, said, stream, useBundledTarget } from './embedded.fixture.js';

const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 8 }, age: { type: 'integer', minimum: 0, maximum: 120 } },
  required: ['name', 'age'],
  additionalProperties: false,
};

describe('EmbeddedTarget: structured output', () => {
  const target = useBundledTarget();
  const twenty = async (fields: Fields) =>
    (await ask(target(), { messages: said('hello'), seed: 1, temperature: 1.5, n: 20, ...fields })).choices.map(
      ({ message }) => message.content as string,
    );
  const isPerson = (text: string) => {
    const { name, age, ...rest } = JSON.parse(text) as { name: string; age: number };
    return (
      typeof name === 'string' && Number.isInteger(age) && age >= 0 && age <= 120 && Object.keys(rest).length === 0
    );
  };

  it.each<[string, Fields]>([
    [
      'response_format',
      { response_format: { type: 'json_schema', json_schema: { name: 'p', schema: SCHEMA, strict: true } } },
    ],
    ['response_format without its type', { response_format: { json_schema: { schema: SCHEMA } } }],
    ['structured_outputs', { structured_outputs: { json: SCHEMA } }],
    ['structured_outputs as text', { structured_outputs: { json: JSON.stringify(SCHEMA) } }],
  ])('fits a schema of %s', async (_, fields) => {
    const texts = await twenty(fields);
    expect(texts.filter((text) => !isPerson(text))).toEqual([]);
    expect(new Set(texts).size).toBeGreaterThan(1);
  });

  it('writes no whitespace on request', async () => {
    const texts = await twenty({
      structured_outputs: {
        json: { ...SCHEMA, properties: { ...SCHEMA.properties, name: { type: 'integer' } } },
        disable_any_whitespace: true,
      },
    });
    expect(texts.filter((text) => /\s/.test(text))).toEqual([]);
  });

  it('fits a pattern', async () => {
    const texts = await twenty({ structured_outputs: { regex: '[a-c]{2,4}-\\d{3}' } });
    expect(texts.filter((text) => !/^[a-c]{2,4}-\d{3}$/.test(text))).toEqual([]);
  });

  it('is one of the choices', async () => {
    const choice = ['red', 'green', 'dark blue'];
    expect((await twenty({ structured_outputs: { choice } })).filter((text) => !choice.includes(text))).toEqual([]);
  });

  it.each<[string, Fields]>([
    ['response_format', { response_format: { type: 'json_object' } }],
    ['structured_outputs', { structured_outputs: { json_object: true } }],
    ['a format without a schema', { response_format: { type: 'json_schema', json_schema: { name: 'any' } } }],
  ])('is a JSON object for %s', async (_, fields) => {
    const { choices } = await ask(target(), {
      messages: said('json name Ann age 5'),
      temperature: 0,
      max_tokens: 200,
      ...fields,
    });
    expect(JSON.parse(choices[0]!.message.content!)).toEqual(expect.any(Object));
  });

  it('treats the format text as no constraint', async () => {
    const { choices } = await ask(target(), {
      temperature: 0,
      response_format: { type: 'text' },
      structured_outputs: {},
    });
    expect(choices[0]!.message.content).toBe('cat');
  });

  it('streams the same answer', async () => {
    const fields = {
      structured_outputs: { json: SCHEMA },
      seed: 4,
      temperature: 1,
      logprobs: true,
      return_token_ids: true,
    };
    expect(joined(await stream(target(), fields))).toEqual(ofWhole((await ask(target(), fields)).choices[0]!));
  });

  it('fails when the constraints allow no token', async () => {
    const fields = { structured_outputs: { choice: ['cat'] }, bad_words: ['cat'] };
    await expect(ask(target(), fields)).rejects.toMatchObject({ reason: 'dead_end' });
  });
});
