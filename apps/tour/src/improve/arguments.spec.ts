import { readArguments, UsageError } from './arguments.js';

describe('readArguments', () => {
  it('asks for no more than was said', () => {
    expect(readArguments(['--model', 'helper'])).toEqual({
      ...{ model: 'helper', project: null, scorers: [], asked: {}, evaluate: { parameters: {} }, isDry: false },
    });
  });

  it('takes all that an improvement can be told', () => {
    const line =
      '--model helper --project acme/demo --scorer bare --scorer short --alias canary --dataset sums --teacher large --prompt brief ' +
      '--thread a --thread b --trials 4 --max-tokens 24 --temperature 0 --minutes 30 --dry-run';
    expect(readArguments(line.split(' '))).toEqual({
      ...{ model: 'helper', project: 'acme/demo', scorers: ['bare', 'short'], isDry: true },
      asked: {
        ...{ alias: 'canary', teacher: 'large', prompt: 'brief', max_minutes: 30 },
        data: { source: { filter: { thread_ids: ['a', 'b'] } } },
      },
      evaluate: { dataset: 'sums', trials: 4, parameters: { max_tokens: 24, temperature: 0 } },
    });
  });

  it.each([
    ['no model', [], 'Name the model: --model <name or id>.'],
    ['an empty model', ['--model', ''], 'Name the model: --model <name or id>.'],
    [
      'a project without its entity',
      ['--model', 'm', '--project', 'demo'],
      '--project takes <entity>/<project>, not demo.',
    ],
    ['a word for a number', ['--model', 'm', '--trials', 'many'], "--trials takes a number, not 'many'."],
    ['nothing for a number', ['--model', 'm', '--minutes', ' '], "--minutes takes a number, not ' '."],
    ['an infinite number', ['--model', 'm', '--temperature', '1e999'], "--temperature takes a number, not '1e999'."],
  ])('refuses %s', (_, args, message) => {
    expect(() => readArguments(args)).toThrow(new UsageError(message));
  });

  it('refuses options that it does not know, and what belongs to none', () => {
    expect(() => readArguments(['--model', 'm', '--fast'])).toThrow(UsageError);
    expect(() => readArguments(['--model', 'm', 'helper'])).toThrow(UsageError);
  });
});
