import { BadWords, type TokenTexts } from './bad-words.js';
import { PLAIN_SAMPLING, type SamplingSettings } from './sampling-settings.js';
import { toTokenMask } from './token-mask.js';
import { SamplingBuffers, TokenSampler } from './token-sampler.js';

const LOGITS = [2, 1, 0, -1, -2];

describe('TokenSampler', () => {
  it('draws each token as often as the model says', () => {
    const counts = countDraws({}, 20_000);
    const total = LOGITS.reduce((sum, logit) => sum + Math.exp(logit), 0);
    LOGITS.forEach((logit, id) => expect(counts[id]! / 20_000).toBeCloseTo(Math.exp(logit) / total, 1));
  });

  it('flattens the distribution at a high temperature', () => {
    const counts = countDraws({ temperature: 2 }, 20_000);
    expect(Math.log(counts[0]! / counts[1]!)).toBeCloseTo(0.5, 1);
  });

  it('takes the likeliest token below a temperature of 1e-5, whatever top_k says', () => {
    expect(countDraws({ temperature: 1e-6, topK: 3 }, 50)).toEqual([50, 0, 0, 0, 0]);
  });

  it('draws the same token for the same seed and position', () => {
    const draws = () => drawSeries({ seed: 42n }, 50);
    expect(draws()).toEqual(draws());
  });

  it.each<[string, Partial<SamplingSettings>, number[]]>([
    ['top_k', { topK: 2 }, [0, 1]],
    ['top_k -1', { topK: -1 }, [0, 1, 2, 3, 4]],
    // Probabilities: .636 .234 .086 .032 .012
    ['top_p', { topP: 0.8 }, [0, 1]],
    ['top_p just above one token', { topP: 0.64 }, [0, 1]],
    ['top_p just below one token', { topP: 0.63 }, [0]],
    ['top_p over what top_k left', { topK: 2, topP: 0.74 }, [0, 1]],
    ['min_p', { minP: 0.1 }, [0, 1, 2]],
    ['allowed_token_ids', { allowedTokenIds: [2, 4] }, [2, 4]],
    ['a bias of -100', { logitBias: new Map([[0, -100]]) }, [1, 2, 3, 4]],
    ['a bias of 100', { logitBias: new Map([[4, 100]]) }, [4]],
  ])('keeps to the tokens that %s leaves', (_, settings, expected) => {
    const drawn = countDraws(settings, 3_000);
    expect(drawn.flatMap((count, id) => (count > 0 ? [id] : []))).toEqual(expected);
  });

  it('keeps to the mask of a constraint, together with allowed_token_ids', () => {
    const sampler = aSampler({ allowedTokenIds: [0, 1, 3] });
    const mask = toTokenMask([3, 4], LOGITS.length);
    expect(sampler.sample(logProbabilities(), partition(), mask)).toBe(3);
  });

  it('says so when no token is left', () => {
    const sampler = aSampler({ allowedTokenIds: [0] });
    expect(sampler.sample(logProbabilities(), partition(), toTokenMask([1], LOGITS.length))).toBe(-1);
  });

  it('samples no end token before min_tokens', () => {
    const sampler = aSampler({ temperature: 0, minTokens: 1 }, { endIds: [0] });
    const ids = [0, 1].map(() => {
      const id = sampler.sample(logProbabilities(), partition(), null);
      sampler.accept(id);
      return id;
    });
    expect(ids).toEqual([1, 0]);
  });

  it('ends before min_tokens when a constraint allows nothing else', () => {
    const sampler = aSampler({ minTokens: 9 }, { endIds: [4] });
    expect(sampler.sample(logProbabilities(), partition(), toTokenMask([4], LOGITS.length))).toBe(4);
  });

  it.each<[string, Partial<SamplingSettings>, number[]]>([
    // Logit 2, then 2 - 0.6 each time.
    ['frequency', { frequencyPenalty: 0.6 }, [0, 0, 1, 0, 1, 0]],
    ['presence', { presencePenalty: 1.5 }, [0, 1, 0, 0, 0, 0]],
  ])('takes off the %s penalty for generated tokens', (_, settings, expected) => {
    expect(drawSeries({ temperature: 0, ...settings }, expected.length)).toEqual(expected);
  });

  it('divides positive and multiplies negative logits by the repetition penalty, of the prompt too', () => {
    // Token 0: 2 / 4 = 0.5 < 1. On log-probabilities, which are negative, the factor would work the other way round.
    const sampler = aSampler({ temperature: 0, repetitionPenalty: 4 }, { prompt: [0, 3] });
    expect(sampler.sample(logProbabilities(), partition(), null)).toBe(1);
  });

  it('leaves the raw log-probabilities as they are', () => {
    const raw = logProbabilities();
    aSampler({ temperature: 0.5, allowedTokenIds: [1] }).sample(raw, partition(), null);
    expect(raw).toEqual(logProbabilities());
  });

  it('never completes a bad word, however it may be cut', () => {
    const texts = tokens(['a', 'b', 'ab', 'ba', 'aab', 'c']);
    const words = new BadWords(['aba', 'bb'], texts);
    const settings = { ...PLAIN_SAMPLING, seed: 5n };
    const sampler = new TokenSampler(settings, new SamplingBuffers(6), [], [], words);
    let text = '';
    for (let index = 0; index < 2_000; index++) {
      const id = sampler.sample(new Float32Array(6).fill(-1), 0, null);
      sampler.accept(id);
      text += new TextDecoder().decode(texts.tokenBytes(id));
    }
    expect(text).not.toMatch(/aba|bb/);
    expect(text).toMatch(/baa/);
  });

  it('keeps the best tokens of a large vocabulary under top_p as a full sort would', () => {
    const size = 2_000;
    const buffers = new SamplingBuffers(size);
    const scores = Float32Array.from({ length: size }, (_, id) => -((id * 7919) % 997) / 100);
    const kept = new Set<number>();
    for (let seed = 0n; seed < 3_000n; seed += 1n) {
      const settings = { ...PLAIN_SAMPLING, topP: 0.02, seed };
      kept.add(new TokenSampler(settings, buffers, [], [], null).sample(scores, 0, null));
    }
    const order = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]! || a - b);
    const total = scores.reduce((sum, score) => sum + Math.exp(score), 0);
    let mass = 0;
    const expected = order.filter((id) => {
      const wanted = mass < 0.02 * total;
      mass += Math.exp(scores[id]!);
      return wanted;
    });
    expect(kept).toEqual(new Set(expected));
  });
});

function aSampler(
  settings: Partial<SamplingSettings>,
  { prompt = [], endIds = [] }: { prompt?: number[]; endIds?: number[] } = {},
): TokenSampler {
  return new TokenSampler({ ...PLAIN_SAMPLING, ...settings }, new SamplingBuffers(LOGITS.length), prompt, endIds, null);
}

function drawSeries(settings: Partial<SamplingSettings>, count: number): number[] {
  const sampler = aSampler(settings);
  return Array.from({ length: count }, () => {
    const id = sampler.sample(logProbabilities(), partition(), null);
    sampler.accept(id);
    return id;
  });
}

function countDraws(settings: Partial<SamplingSettings>, count: number): number[] {
  const counts = LOGITS.map(() => 0);
  for (const id of drawSeries(settings, count)) counts[id]! += 1;
  return counts;
}

function partition(): number {
  return Math.log(LOGITS.reduce((sum, logit) => sum + Math.exp(logit), 0));
}

function logProbabilities(): Float32Array {
  return Float32Array.from(LOGITS, (logit) => logit - partition());
}

function tokens(texts: string[]): TokenTexts {
  const encoder = new TextEncoder();
  return { vocabSize: texts.length, tokenBytes: (id) => encoder.encode(texts[id]), isSpecial: () => false };
}
