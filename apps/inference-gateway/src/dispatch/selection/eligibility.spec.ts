import type { Capability } from '@hone/contracts';

import { FakeClock } from '../../shared/time/fake-clock.fixture.js';
import { aRequest } from '../answer-rig.fixture.js';
import { needsOf } from '../route/route.js';
import { aRoute, ScriptedTarget } from '../scripted-target.fixture.js';
import { Eligibility, unhonouredParameters } from './eligibility.js';

class DescribedTarget extends ScriptedTarget {
  override readonly capabilities: never;
  constructor(
    capabilities: readonly Capability[] | null,
    private readonly refused: readonly string[] = [],
  ) {
    super('m', new FakeClock(), () => ({ ms: 0 }));
    this.capabilities = (capabilities && new Set(capabilities)) as never;
  }
  override unsupported(): readonly string[] {
    return this.refused;
  }
}

const IMAGE = [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }];
const ASSISTANT_LAST = [{ role: 'assistant', content: 'so' }];

describe('what a request needs', () => {
  it.each<[string, Record<string, unknown>, Capability[]]>([
    ['nothing for text', { tools: [], response_format: { type: 'text' }, logprobs: false }, []],
    ['tools', { tools: [{}] }, ['tools']],
    ['structure by schema', { response_format: { json_schema: {} } }, ['structured']],
    ['structure by regex', { structured_outputs: { regex: 'a', choice: null } }, ['structured']],
    ['log-probabilities', { logprobs: true }, ['logprobs']],
    ['log-probabilities of the prompt', { prompt_logprobs: 0 }, ['logprobs']],
    ['sight', { messages: IMAGE }, ['vision']],
    ['a continued message', { messages: ASSISTANT_LAST }, ['prefill']],
  ])('is %s', (_, fields, needs) => {
    expect([...needsOf(aRequest(fields))]).toEqual(needs);
  });
});

describe('which targets a request may have', () => {
  const routeOf = (...targets: DescribedTarget[]) =>
    aRoute(
      new FakeClock(),
      targets.map((target) => ({ target })),
    );

  it('are those that do what it needs, or do not say', () => {
    const route = routeOf(new DescribedTarget(['tools']), new DescribedTarget(null), new DescribedTarget(['prefill']));
    const eligibility = new Eligibility(aRequest({ messages: ASSISTANT_LAST }));
    const targets = route.tiers[0]?.targets ?? [];
    expect(targets.map((target) => eligibility.isCandidate(target))).toEqual([false, true, true]);
    eligibility.needDeclared();
    expect(targets.map((target) => eligibility.isCandidate(target))).toEqual([false, false, true]);
  });

  it.each<[string, DescribedTarget[], string[]]>([
    ['none while one target fits', [new DescribedTarget(null, ['top_k']), new DescribedTarget(null)], []],
    [
      'those that all lack',
      [new DescribedTarget(null, ['min_p', 'top_k']), new DescribedTarget(null, ['top_k'])],
      ['top_k'],
    ],
    [
      'the first one’s where each lacks another',
      [new DescribedTarget(null, ['min_p']), new DescribedTarget(null, ['top_k'])],
      ['min_p'],
    ],
    ['the field behind a capability', [new DescribedTarget(['tools'])], ['logprobs']],
  ])('tell the parameters that nobody honours: %s', (_, targets, fields) => {
    expect(unhonouredParameters(targets, aRequest({ logprobs: fields.includes('logprobs') }))).toEqual(fields);
  });
});
