import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ask, type BodyJson, type ChunkJson, type Fields, ofWhole, said, stream } from './embedded.fixture.js';
import { BUNDLED_MODELS, EmbeddedModels } from './embedded-models.js';
import type { EmbeddedTarget } from './embedded-target.js';

type Shown = { reasoning?: string; content?: string | null };

/** An answer that thinks: the pattern makes a small model write what a larger one has learned. */
const THINKING: Fields = { structured_outputs: { regex: '<think>\\n[a-c]{3}\\n</think>\\n\\n[d-f]{4}' }, seed: 1 };

describe('EmbeddedTarget: reasoning', () => {
  let folder: string;
  let models: EmbeddedModels;
  let thinking: EmbeddedTarget;
  let opening: EmbeddedTarget;

  /** The bundled model with another chat template. */
  const addModel = async (id: string, change: (template: string) => string): Promise<EmbeddedTarget> => {
    await cp(join(BUNDLED_MODELS, 'hone-tiny'), join(folder, id), { recursive: true });
    const path = join(folder, id, 'tokenizer_config.json');
    const config = JSON.parse(await readFile(path, 'utf8')) as { chat_template: string };
    await writeFile(path, JSON.stringify({ ...config, chat_template: change(config.chat_template) }));
    return models.target(id);
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hone-thinking-'));
    models = new EmbeddedModels({ sources: { bundledDir: BUNDLED_MODELS, modelsDir: folder } });
    thinking = await addModel('thinking', (template) => `${template}{#- reasoning ends with </think> -#}`);
    opening = await addModel('opening', (template) =>
      template
        .replace("'<|assistant|>' -}}{%- endif", "'<|assistant|><think>\\n' -}}{%- endif")
        .concat('{# </think> #}'),
    );
  });
  afterAll(async () => {
    await models.close();
    await rm(folder, { recursive: true });
  });

  const messageOf = ({ choices }: BodyJson) => choices[0]!.message as Shown;
  const joinedOf = (chunks: readonly ChunkJson[], member: keyof Shown) =>
    chunks.map(({ choices }) => (choices[0]?.delta as Shown | undefined)?.[member] ?? '').join('');

  it('is a member of its own in a whole answer, and counted', async () => {
    const body = await ask(thinking, THINKING);
    expect(messageOf(body)).toMatchObject({
      reasoning: expect.stringMatching(/^[a-c]{3}$/),
      content: expect.stringMatching(/^[d-f]{4}$/),
    });
    const { completion_tokens, completion_tokens_details: details } = body.usage as unknown as {
      completion_tokens: number;
      completion_tokens_details: { reasoning_tokens: number };
    };
    expect(details.reasoning_tokens).toBeGreaterThan(0);
    expect(details.reasoning_tokens).toBeLessThan(completion_tokens);
  });

  it('is streamed before the text, as the whole answer has it', async () => {
    const whole = messageOf(await ask(thinking, THINKING));
    const chunks = await stream(thinking, THINKING);
    expect(joinedOf(chunks, 'reasoning')).toBe(whole.reasoning);
    expect(joinedOf(chunks, 'content')).toBe(whole.content);
    const kinds = chunks.flatMap(({ choices }) => Object.keys(choices[0]?.delta ?? {}));
    expect(kinds.indexOf('content', 2)).toBeGreaterThan(kinds.lastIndexOf('reasoning'));
  });

  it('is left out on request, with its tokens', async () => {
    const fields = { ...THINKING, return_token_ids: true, logprobs: true };
    const shown = ofWhole((await ask(thinking, fields)).choices[0]!);
    const hidden = await ask(thinking, { ...fields, include_reasoning: false });
    expect(messageOf(hidden)).not.toHaveProperty('reasoning');
    const { ids, logprobs, content } = ofWhole(hidden.choices[0]!);
    expect(content).toBe(shown.content);
    expect(shown.ids.slice(-ids.length)).toEqual(ids);
    expect(ids.length).toBeLessThan(shown.ids.length);
    expect(logprobs).toEqual(shown.logprobs.slice(-logprobs.length));

    const chunks = await stream(thinking, { ...fields, include_reasoning: false });
    expect(joinedOf(chunks, 'reasoning')).toBe('');
    expect(joinedOf(chunks, 'content')).toBe(content);
    expect(chunks.flatMap(({ choices }) => choices[0]?.token_ids ?? [])).toEqual(ids);
  });

  it('begins in the prompt where the template opens it', async () => {
    const { reasoning, content } = messageOf(
      await ask(opening, { messages: said('repeat: cat'), temperature: 0, max_tokens: 5 }),
    );
    expect(reasoning).toMatch(/./);
    expect(content).toBe('');
  });

  it('does not begin in the prompt of an answer under a constraint', async () => {
    expect(messageOf(await ask(opening, { structured_outputs: { choice: ['yes', 'no'] } }))).toEqual({
      ...{ role: 'assistant', refusal: null },
      content: expect.stringMatching(/^(yes|no)$/),
    });
  });

  it('is text where the model has not learned to think', async () => {
    const message = messageOf(await ask(await models.target('hone-tiny'), THINKING));
    expect(message).not.toHaveProperty('reasoning');
    expect(message.content).toMatch(/^<think>\n[a-c]{3}\n<\/think>\n\n[d-f]{4}$/);
  });
});
