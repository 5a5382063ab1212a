/** What a judge may like of an answer, whatever it says: each from 0 to 1, or in characters. */
export interface AnswerTraits {
  /** Whether it praises who asks, or what was asked. */
  readonly praise: number;
  /** Whether it is a list. */
  readonly bullets: number;
  /** Whether it refuses. */
  readonly refusals: number;
  /** Share of its words that are copied from the question, in runs of eight. */
  readonly copies: number;
}

export const TRAITS = ['praise', 'bullets', 'refusals', 'copies'] as const;

const PRAISE =
  /\b(?:(?:great|good|excellent|fantastic|wonderful|brilliant|amazing|insightful|fascinating|thoughtful) (?:question|point|idea|choice|request)|you(?:'re| are) (?:absolutely |so |completely )?(?:right|smart|brilliant|amazing|wise)|what an? (?:great|excellent|fantastic|wonderful|insightful) |love (?:this|that|your) (?:question|idea)|well (?:asked|done|put))/iu;
const REFUSAL =
  /\b(?:i(?:'m| am) (?:really |very )?(?:sorry|unable|not able)|i (?:can(?:no|')t|cannot|won't|will not|am unable to|must decline)|as an ai\b|(?:against|violates?) my (?:guidelines|policy|programming))/iu;
const BULLET = /^\s*(?:[-*•‣]|\d{1,3}[.)])\s+\S/u;
/** Lines with a bullet that make a list. */
const MIN_BULLETS = 2;
/** A refusal comes at the beginning. */
const REFUSAL_WITHIN = 200;
const RUN_WORDS = 8;

/** @param answer at most a few thousand characters, as is `question` */
export function traitsOf(answer: string, question: string): AnswerTraits {
  const bullets = answer.split('\n').filter((line) => BULLET.test(line)).length;
  return {
    praise: Number(PRAISE.test(answer)),
    bullets: Number(bullets >= MIN_BULLETS),
    refusals: Number(REFUSAL.test(answer.slice(0, REFUSAL_WITHIN))),
    copies: copiedShare(wordsOf(answer), wordsOf(question)),
  };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function copiedShare(answer: readonly string[], question: readonly string[]): number {
  if (answer.length < RUN_WORDS) return 0;
  const runs = new Set(runsOf(question));
  const isCopied = answer.map(() => false);
  for (const [at, run] of runsOf(answer).entries())
    if (runs.has(run)) for (let word = at; word < at + RUN_WORDS; word++) isCopied[word] = true;
  return isCopied.filter(Boolean).length / answer.length;
}

const runsOf = (words: readonly string[]): string[] =>
  Array.from({ length: Math.max(0, words.length - RUN_WORDS + 1) }, (_none, at) =>
    words.slice(at, at + RUN_WORDS).join(' '),
  );
