import { type Command, matching } from './commands.js';

const named = (name: string, kind = 'Page'): Command => ({ id: name, name, kind, run: () => undefined });
const COMMANDS = [named('New training job'), named('Training'), named('local/trainer', 'Project'), named('Calls')];
const found = (typed: string) => matching(COMMANDS, typed).map(({ name }) => name);

describe('the command palette', () => {
  it('finds what has all words, in any order, and first what begins with them', () => {
    expect(found('TRAIN')).toEqual(['Training', 'New training job', 'local/trainer']);
    expect(found('job train')).toEqual(['New training job']);
    expect(found('project')).toEqual(['local/trainer']);
  });

  it('shows all in their order where nothing is typed, and nothing where nothing fits', () => {
    expect(found(' ')).toHaveLength(4);
    expect(found('zebra')).toEqual([]);
  });

  it('shows no more than fit', () => {
    expect(
      matching(
        Array.from({ length: 99 }, (_, at) => named(`call ${at}`)),
        'call',
      ),
    ).toHaveLength(12);
  });
});
