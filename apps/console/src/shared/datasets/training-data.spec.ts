import { datasetOf, toArtifactName, toTrainingLine } from './training-data.js';

const ASKED = [{ role: 'user', content: 'hi' }];
const ANSWER = { role: 'assistant', content: 'hello' };

describe('a row as a line of training data', () => {
  it.each([
    [{ messages: [...ASKED, ANSWER], note: 1 }, { messages: [...ASKED, ANSWER] }],
    [
      { messages: [...ASKED, ANSWER], tools: [{}] },
      { messages: [...ASKED, ANSWER], tools: [{}] },
    ],
    [{ inputs: { messages: ASKED }, output: 'hello' }, { messages: [...ASKED, ANSWER] }],
    [{ inputs: { messages: ASKED, tools: [] }, output: ANSWER }, { messages: [...ASKED, ANSWER] }],
    [{ inputs: { messages: ASKED }, output: { choices: [{ message: ANSWER }] } }, { messages: [...ASKED, ANSWER] }],
    [{ inputs: { messages: ASKED }, output: '' }, null],
    [{ inputs: { messages: ASKED }, output: { choices: [] } }, null],
    [{ inputs: { messages: [] }, output: 'x' }, null],
    [{ q: 1 }, null],
    [null, null],
  ])('of %j', (row, line) => {
    expect(toTrainingLine(row, 'sft')).toEqual(line);
  });

  it('has trajectories for rewards', () => {
    expect(toTrainingLine({ trajectories: [{}], x: 1 }, 'rl')).toEqual({ trajectories: [{}] });
    expect(toTrainingLine({ messages: ASKED }, 'rl')).toBeNull();
  });

  it('are pairs and judged answers, with what they answer', () => {
    const pair = { chosen: 'a', rejected: 'b' };
    expect(toTrainingLine({ inputs: { messages: ASKED }, ...pair, x: 1 }, 'pairs')).toEqual({
      messages: ASKED,
      ...pair,
    });
    expect(toTrainingLine({ prompt: 'q', ...pair, weight: 2 }, 'pairs')).toEqual({ prompt: 'q', ...pair, weight: 2 });
    expect(toTrainingLine({ prompt: 'q', chosen: 'a' }, 'pairs')).toBeNull();
    expect(toTrainingLine({ prompt: 'q', completion: 'a', label: false }, 'thumbs')).toEqual({
      prompt: 'q',
      completion: 'a',
      label: false,
    });
    expect(toTrainingLine({ completion: 'a', label: false }, 'thumbs')).toBeNull();
  });
});

describe('the artifact of a dataset', () => {
  it.each([
    ['sums', 0],
    ['größe-v3', 12],
    ['a.b_c', 1],
  ])('names %s v%s', (objectId, version) => {
    const url = `hone-artifact:///acme/demo/${toArtifactName({ objectId, version })}:v7`;
    expect(datasetOf(url)).toEqual({ projectId: 'acme/demo', objectId, version });
  });

  it('has a name that is short enough', () => {
    expect(toArtifactName({ objectId: 'x'.repeat(128), version: 1_000 })).toHaveLength(128);
  });

  it.each([null, '', 'hone-artifact:///acme/demo/thumbs:v0', 'https://example.org/dataset-a-v1'])(
    '%j is none',
    (url) => {
      expect(datasetOf(url)).toBeNull();
    },
  );
});
