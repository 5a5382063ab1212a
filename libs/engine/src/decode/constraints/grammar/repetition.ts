import { EMPTY, isClass, oneOf, repeat, type Rules, sequence } from './ebnf.js';

/** Repetitions beyond this number use xgrammar's own notation. */
const MAX_COUNTED = 10_000;
/** Options with more characters in all become rules instead of being copied into each state. */
const MAX_INLINE = 200;

/**
 * One of `options` at least `min` and at most `max` times (null: no upper limit), and then `end`.
 *
 * xgrammar finds out in advance which tokens may come in a state, but only as far as a token stays in the rule of that
 * state: of the others each is tried at every step, which takes 65 ms in a vocabulary of 49,152. In its own
 * repetitions each one is a rule of its own, and nearly every token leaves it. So repetitions are written as right
 * recursion, with the options within: `loop ::= end | option loop`. Limited ones count by states, of which each costs
 * time when the grammar is compiled, and beyond `rules.counted` by runs of that many.
 */
export function repeated(
  rules: Rules,
  options: readonly string[],
  min: number,
  max: number | null,
  end = EMPTY,
): string {
  const isOwn = options.length === 1 && (!isWideClass(options[0] as string) || max === null || max <= rules.counted);
  if ((isOwn && end === EMPTY) || max === 0 || (max ?? min) > MAX_COUNTED) {
    return sequence(repeat(oneOf(options), min, max), end);
  }
  const parts = inlined(rules, options);
  const runs = Math.floor(min / rules.counted);
  const last = max === null ? loop(rules, parts, end) : upTo(rules, parts, max - min, end);
  const rest = exactly(rules, parts, min % rules.counted, last);
  return runs === 0 ? rest : sequence(repeat(exactly(rules, parts, rules.counted), runs, runs), rest);
}

/** A class that most characters are in: most tokens are tried in each of its states. */
const isWideClass = (option: string) => isClass(option) && option.startsWith('[^');

/** Short options are inlined, classes before others; the rest becomes a rule. */
function inlined(rules: Rules, options: readonly string[]): readonly string[] {
  let left = MAX_INLINE;
  const isShort = (option: string) => (left -= option.length) >= 0;
  const ordered = [...options.filter(isClass), ...options.filter((option) => !isClass(option))];
  const short = ordered.filter(isShort);
  if (short.length === ordered.length) return short;
  const others = oneOf(ordered.slice(short.length));
  return [...short, rules.once('part', others, () => others)];
}

function loop(rules: Rules, parts: readonly string[], end: string): string {
  return rules.once('loop', `${parts.join(' | ')} * ${end}`, (own) => oneOf([end, ...before(parts, own)]));
}

/** At most `max` parts, then the end. */
function upTo(rules: Rules, parts: readonly string[], max: number, end: string): string {
  const runs = Math.floor(max / rules.counted);
  const counts = [end];
  while (counts.length < (runs === 0 ? max + 1 : rules.counted)) {
    counts.push(share(rules, [end, ...before(parts, counts.at(-1) as string)]));
  }
  if (runs === 0) return counts.at(-1) as string;
  const run = exactly(rules, parts, rules.counted);
  let counted = counts[max % rules.counted] as string;
  for (let count = 0; count < runs; count += 1) {
    counted = share(rules, [counts.at(-1) as string, sequence(run, counted)]);
  }
  return counted;
}

function exactly(rules: Rules, parts: readonly string[], count: number, end = EMPTY): string {
  let rest = end;
  for (let index = 0; index < count; index += 1) rest = share(rules, before(parts, rest));
  return rest;
}

const before = (parts: readonly string[], rest: string) => parts.map((part) => sequence(part, rest));

/** A rule for the options, shared by all uses of the same ones. */
function share(rules: Rules, options: readonly string[]): string {
  const body = oneOf(options);
  return rules.once('counted', body, () => body);
}
