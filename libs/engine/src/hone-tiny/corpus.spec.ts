import { createChatEncoder } from './chat-encoder.js';
import { heldOutExamples, trainingExamples } from './corpus.js';
import { encodeExample } from './encode-example.js';
import { type Example, promptOf } from './example.js';
import { FAMILIES, shareOf } from './families/families.js';
import { specialId } from './special-tokens.js';
import { trainTokenizer } from './train-tokenizer.js';

const take = (count: number, seed = 1): Example[] => {
  const examples = trainingExamples(seed);
  return Array.from({ length: count }, () => examples.next().value);
};
const asked = (example: Example) => promptOf(example).findLast(({ role }) => role === 'user')?.content ?? '';

describe('trainingExamples', () => {
  it('gives the same examples for the same seed, and others for another', () => {
    expect(take(50)).toEqual(take(50));
    expect(take(50)).not.toEqual(take(50, 2));
  });

  it('mixes the families by their share', () => {
    const counts = new Map<string, number>();
    for (const { family } of take(10_000)) counts.set(family, (counts.get(family) ?? 0) + 1);
    const total = FAMILIES.reduce((sum, family) => sum + shareOf(family), 0);
    for (const family of FAMILIES) {
      const expected = (10_000 * shareOf(family)) / total;
      // Five deviations of a count: the draws are fixed by the seed, this says how far off they may fairly be.
      expect(Math.abs((counts.get(family.name) ?? 0) - expected)).toBeLessThan(5 * Math.sqrt(expected));
    }
  });

  it('answers in two forms where a family is left undecided, some phrasings mostly in the one', () => {
    for (const family of FAMILIES.filter(({ name }) => ['subtract', 'reverse'].includes(name))) {
      const examples = take(20_000).filter((example) => example.family === family.name);
      const wordy = examples.filter(({ answer, otherForm }) => answer === otherForm?.answer).length;
      expect(Math.abs(wordy / examples.length - 0.4)).toBeLessThan(0.1);
      expect(heldOutExamples(family, 1, 50).filter(({ answer, otherForm }) => answer === otherForm?.answer)).toEqual(
        [],
      );
    }
  });

  it('shows every printable character and the line break in a question and in an answer', () => {
    const wanted = ['\n', ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))];
    const examples = take(8_000);
    for (const text of [examples.map(asked).join(''), examples.map(({ answer }) => answer).join('')]) {
      expect(wanted.filter((character) => !text.includes(character))).toEqual([]);
    }
  });

  it('writes no special token into a message', () => {
    const contents = take(8_000).flatMap(({ messages }) => messages.map(({ content }) => content ?? ''));
    expect(contents.filter((content) => content.includes('<|'))).toEqual([]);
  });
});

describe('heldOutExamples', () => {
  const trained = new Map(FAMILIES.map(({ name }) => [name, new Set<string>()]));
  for (const example of take(15_000)) trained.get(example.family)?.add(asked(example));

  it.each(FAMILIES.filter(({ closed }) => !closed))('of $name are never asked in training', (family) => {
    const prompts = heldOutExamples(family, 1, 200).map(asked);
    expect(prompts.filter((prompt) => trained.get(family.name)?.has(prompt))).toEqual([]);
  });

  it('are the same for the same seed, and others for another', () => {
    const [family] = FAMILIES;
    if (!family) throw new Error('There are no families.');
    expect(heldOutExamples(family, 1, 20)).toEqual(heldOutExamples(family, 1, 20));
    expect(heldOutExamples(family, 1, 20)).not.toEqual(heldOutExamples(family, 2, 20));
  });
});

describe('encodeExample', () => {
  const tokenizerJson = trainTokenizer(1);
  const texts = new Map(Object.entries(tokenizerJson.model.vocab).map(([text, id]) => [id, text]));
  const encoder = createChatEncoder(tokenizerJson);
  const examples = take(1_500);
  const encoded = examples.map((example) => encodeExample(example, encoder));

  it('trains exactly the answer and its end', () => {
    const end = specialId('end');
    const trainedIds = encoded.map(({ ids, trained }) => ids.filter((_, position) => trained[position]));
    const wanted = examples.map(({ answer }) => answer.replaceAll(' ', 'Ġ').replaceAll('\n', 'Ċ'));
    expect(
      trainedIds.map((ids) =>
        ids
          .slice(0, -1)
          .map((id) => texts.get(id))
          .join(''),
      ),
    ).toEqual(wanted);
    expect(new Set(trainedIds.map((ids) => ids.at(-1)))).toEqual(new Set([end]));
  });

  it('keeps sequences short: at most 192 tokens with tools, 96 without', () => {
    const longest = (withTools: boolean) =>
      Math.max(...encoded.filter((_, at) => Boolean(examples[at]?.tools) === withTools).map(({ ids }) => ids.length));
    expect(longest(true)).toBeLessThanOrEqual(192);
    expect(longest(false)).toBeLessThanOrEqual(96);
  });
});
