import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type BaseModel, openBaseModel } from '../../model/index.js';
import { readToolCallForm } from './tool-call-form.js';

const BUNDLED_MODELS = join(import.meta.dirname, '../../../../../models');
const MESSAGES = (calls: string) =>
  `{% for m in messages %}<|{{ m.role }}|>{{ m.content }}${calls}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}`;
const EACH = '{% for c in m.tool_calls or [] %}';
/** As Hermes 2 and Qwen 2.5 have it. */
const HERMES = MESSAGES(
  `${EACH}{% if m.content or not loop.first %}{{ "\\n" }}{% endif %}<tool_call>\n{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}\n</tool_call>{% endfor %}`,
);
/** As Llama 3.1 has it. */
const LLAMA = MESSAGES(
  `{% if m.tool_calls %}{% if m.tool_calls | length != 1 %}{{ raise_exception("one call only") }}{% endif %}{% set c = m.tool_calls[0] %}{"name": "{{ c.function.name }}", "parameters": {{ c.function.arguments | tojson }}}{% endif %}`,
);
/** As Mistral has it. */
const MISTRAL = MESSAGES(
  `{% if m.tool_calls %}<|tool_call|>[${EACH}{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}{% if not loop.last %}, {% endif %}{% endfor %}]{% endif %}`,
);

describe('readToolCallForm', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hone-forms-'));
    await cp(join(BUNDLED_MODELS, 'hone-tiny'), folder, { recursive: true });
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function modelWith(template: string): Promise<BaseModel> {
    const file = join(folder, 'tokenizer_config.json');
    const config = JSON.parse(await readFile(file, 'utf8')) as object;
    await writeFile(file, JSON.stringify({ ...config, chat_template: template }));
    return openBaseModel(folder);
  }

  /** The form with texts instead of token ids. */
  function shown(model: BaseModel) {
    const form = readToolCallForm(model);
    const textOf = (ids: readonly number[] | null) => ids && model.tokenizer.decode(ids, { skipSpecialTokens: false });
    if (form === null) return null;
    const { marker, argumentsKey, begin, open, after, close, next } = form;
    const texts = { begin, open, after, close, next };
    return {
      marker,
      argumentsKey,
      ...Object.fromEntries(Object.entries(texts).map(([key, ids]) => [key, textOf(ids)])),
    };
  }

  it('reads the form of the bundled model', async () => {
    const model = await openBaseModel(join(BUNDLED_MODELS, 'hone-tiny'));
    const marker = '<|tool_call|>';
    expect(shown(model)).toEqual({
      marker,
      argumentsKey: 'arguments',
      begin: marker,
      open: '',
      after: '',
      close: '',
      next: marker,
    });
    expect(readToolCallForm(model)!.begin).toEqual([7]);
  });

  it.each<[string, string, object]>([
    [
      'tags around each call',
      HERMES,
      {
        marker: '<tool_call>',
        argumentsKey: 'arguments',
        begin: '<tool_call>',
        open: '\n',
        after: '\n</tool_call>',
        close: '',
        next: '\n<tool_call>\n',
      },
    ],
    [
      'bare JSON, one call',
      LLAMA,
      { marker: '', argumentsKey: 'parameters', begin: '', open: '', after: '', close: '', next: null },
    ],
    [
      'the form that is described to a template without one',
      MESSAGES(''),
      {
        marker: '<tool_call>',
        argumentsKey: 'arguments',
        begin: '<tool_call>',
        open: '\n',
        after: '\n</tool_call>',
        close: '',
        next: '\n<tool_call>\n',
      },
    ],
    [
      'a list of calls',
      MISTRAL,
      {
        marker: '<|tool_call|>',
        argumentsKey: 'arguments',
        begin: '<|tool_call|>',
        open: '[',
        after: '',
        close: ']',
        next: ', ',
      },
    ],
  ])('reads %s', async (_, template, expected) => {
    expect(shown(await modelWith(template))).toEqual(expected);
  });

  it.each([
    ['writes calls in another form', MESSAGES(`${EACH}<call {{ c.function.name }}>{% endfor %}`)],
    ['refuses calls', MESSAGES('{% if m.tool_calls %}{{ raise_exception("none") }}{% endif %}')],
  ])('finds none in a template that %s', async (_, template) => {
    expect(readToolCallForm(await modelWith(template))).toBeNull();
  });
});
