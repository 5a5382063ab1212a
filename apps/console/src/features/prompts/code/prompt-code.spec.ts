import { type NamedPrompt, USES } from './prompt-code.js';

const PROMPT: NamedPrompt = {
  ...{ projectId: 'acme/demo', origin: 'http://hone', id: 'greeting', version: 'production', model: 'm' },
  variables: { name: `it's "Ann"` },
};
const codeOf = (name: string, language: string, prompt = PROMPT) =>
  USES.find((use) => use.name === name)?.toCode(prompt, language) ?? '';

describe('a prompt that is used from code', () => {
  it('is named by its label in each form of request', () => {
    const fields = { id: 'greeting', version: 'production', variables: PROMPT.variables };
    for (const name of ['chat', 'responses']) {
      const curl = codeOf(name, 'curl');
      const [, body = ''] = /--data-raw '(.*)'$/s.exec(curl) ?? [];
      expect(JSON.parse(body.replaceAll(`'\\''`, "'"))).toMatchObject({ model: 'm', prompt: fields });
      for (const language of ['python', 'typescript']) expect(codeOf(name, language)).toContain('greeting');
    }
    expect(codeOf('chat', 'curl')).toContain('/v1/chat/completions');
    expect(codeOf('responses', 'curl')).toContain('/v1/responses');
  });

  it('names no variables where it has none', () => {
    expect(codeOf('chat', 'curl', { ...PROMPT, variables: {} })).not.toContain('variables');
  });

  it('is read by Weave, in Python alone', () => {
    expect(USES.find(({ name }) => name === 'weave')?.languages).toEqual(['python']);
    const code = codeOf('weave', 'python');
    expect(code).toContain('weave.ref("greeting:production").get()');
    expect(code).toContain(String.raw`{"name": "it's \"Ann\""}`);
  });
});
