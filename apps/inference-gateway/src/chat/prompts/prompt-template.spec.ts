import { InvalidRequestError } from '../../shared/errors/gateway-error.js';
import { PromptTemplate } from './prompt-template.js';

const MAX = 1_000_000;
const read = (value: unknown) => PromptTemplate.read(typeof value === 'string' ? value : JSON.stringify(value));
const fill = (content: string, variables: Record<string, string> = {}) => {
  const json = read({ messages: [{ role: 'user', content }] })!.fill(new Map(Object.entries(variables)), MAX);
  return (JSON.parse(json) as { content: string }[])[0]!.content;
};

describe('a template of a prompt', () => {
  it.each([
    ['a {{x}} b {{ x }} c', { x: '1' }, 'a 1 b 1 c'],
    ['{{x}}{{y}}', { x: '{{y}}', y: '{{x}}' }, '{{y}}{{x}}'],
    ['{{{x}}}', { x: '1' }, '{1}'],
    ['{x} {{}} {{1}} {{a b}} {{ x', {}, '{x} {{}} {{1}} {{a b}} {{ x'],
    ['"{{x}}\\', { x: '"\\\n' }, '""\\\n\\'],
    ['{{x}}', { x: '$& $1 $$' }, '$& $1 $$'],
    ['{{a.b-c_1}}', { 'a.b-c_1': '' }, ''],
    ['{{__proto__}}', Object.fromEntries([['__proto__', 'p']]), 'p'],
  ])('puts what is said into its places: %s', (content, variables, filled) => {
    expect(fill(content, variables as Record<string, string>)).toBe(filled);
  });

  it('fills every text of its messages, and keeps their digits', () => {
    const text =
      '{"messages":[{"role":"user","content":[{"type":"text","text":"{{\\u0078}}"}],"n":12345678901234567890}]}';
    expect(read(text)!.fill(new Map([['x', 'é']]), MAX)).toBe(
      '[{"role":"user","content":[{"type":"text","text":"é"}],"n":12345678901234567890}]',
    );
  });

  it('names variables that are missing, and those without a place', () => {
    const refused = (variables: Record<string, string>) => {
      try {
        fill('{{x}} {{y}}', variables);
        return null;
      } catch (error) {
        return (error as InvalidRequestError).param;
      }
    };
    expect(refused({ x: '', y: '' })).toBeNull();
    expect(refused({ x: '' })).toBe('prompt.variables.y');
    expect(refused({ x: '', y: '', z: '' })).toBe('prompt.variables.z');
    expect(refused({ x: '', y: '', toString: '' })).toBe('prompt.variables.toString');
  });

  it('knows its size before it is filled', () => {
    const template = read({ messages: [{ role: 'user', content: '{{x}}'.repeat(10) }] })!;
    expect(() => template.fill(new Map([['x', 'é'.repeat(10)]]), 200)).toThrow('larger than 200 bytes');
    expect(template.fill(new Map([['x', 'é'.repeat(5)]]), 200)).toContain('é'.repeat(50));
  });

  it.each([
    [{ messages: [] }],
    [{ messages: ['x'] }],
    [{ messages: 'x' }],
    [{ content: 'x' }],
    [{ _type: 'StringPrompt', content: 1 }],
    ['[]'],
    ['1'],
    [`{"messages":[{"x":${'['.repeat(200)}${']'.repeat(200)}}]}`],
  ])('is none of another value: %j', (value) => {
    expect(read(value)).toBeNull();
  });
});
