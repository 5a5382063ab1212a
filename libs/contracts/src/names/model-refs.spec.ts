import { formatTrainedModelRef, parseTrainedModelRef } from './model-refs.js';

describe('the ref of a trained model', () => {
  const parts = { scheme: 'hone', entity: 'acme', project: 'demo', name: 'agent-1' };

  it.each([
    ['hone-artifact:///acme/demo/agent-1', 'latest'],
    ['hone-artifact:///acme/demo/agent-1:latest', 'latest'],
    ['hone-artifact://acme/demo/agent-1', 'latest'],
    ['hone-artifact:///acme/demo/agent-1:step0', 0],
    ['hone-artifact:///acme/demo/agent-1:step12', 12],
    ['hone-artifact:///acme/demo/agent-1:production', 'production'],
    ['hone-artifact:///acme/demo/agent-1:Cand.2-b_c', 'Cand.2-b_c'],
  ])('is read: %s', (text, step) => {
    expect(parseTrainedModelRef(text)).toEqual({ ...parts, step });
  });

  it('is read in any scheme', () => {
    expect(parseTrainedModelRef('w-b+x-artifact:///acme/demo/agent-1')?.scheme).toBe('w-b+x');
  });

  it.each([
    'hone-tiny',
    'hone:///acme/demo/agent-1',
    'hone-artifact:/acme/demo/agent-1',
    'hone-artifact:////acme/demo/agent-1',
    'hone-artifact:///acme/agent-1',
    'hone-artifact:///acme/demo/agent-1:step01',
    'hone-artifact:///acme/demo/agent-1:stepX',
    'hone-artifact:///acme/demo/agent-1:v1',
    'hone-artifact:///acme/demo/agent-1:7',
    'hone-artifact:///acme/demo/agent-1:Latest',
    'hone-artifact:///acme/demo/agent-1:a:b',
    `hone-artifact:///acme/demo/agent-1:${'x'.repeat(65)}`,
    'hone-artifact:///acme/demo/agent-1:prüfung',
    'hone-artifact:///../demo/agent-1',
    `hone-artifact:///acme/demo/${'x'.repeat(10_000)}`,
  ])('is not: %.60s', (text) => {
    expect(parseTrainedModelRef(text)).toBeUndefined();
  });

  it('is written as it is read', () => {
    expect(formatTrainedModelRef(parts)).toBe('hone-artifact:///acme/demo/agent-1');
    for (const step of [3, 'production']) {
      expect(parseTrainedModelRef(formatTrainedModelRef({ ...parts, step }))).toEqual({ ...parts, step });
    }
  });
});
