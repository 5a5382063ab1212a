import type { Findings } from './findings.js';
import type { PlacedChoice } from './placed-choice.js';
import type { PlanningTokenizer } from './planning-tokenizer.js';

/** The prompt of a Choice by the chat template; null when the template refuses it. */
export function rendered(
  { before, tools, loc }: PlacedChoice,
  tokenizer: PlanningTokenizer,
  findings: Findings,
): number[] | null {
  return orFinding(loc, findings, () => tokenizer.encodeChat(before, { tools, addGenerationPrompt: true }));
}

/** The answer of a Choice by the chat template: the suffix that it adds to the rendered prompt, end marker included. */
export function renderedAnswer(
  placed: PlacedChoice,
  tokenizer: PlanningTokenizer,
  findings: Findings,
): number[] | null {
  const prompt = rendered(placed, tokenizer, findings);
  if (!prompt) return null;
  const { before, tools, choice, loc } = placed;
  const whole = orFinding(loc, findings, () =>
    tokenizer.encodeChat([...before, choice.message], { tools, addGenerationPrompt: false }),
  );
  if (!whole) return null;
  if (startsWith(whole, prompt)) return whole.slice(prompt.length);
  findings.add('data.template_not_prefix', loc, 'the prompt of the answer');
  return null;
}

export const startsWith = (ids: readonly number[], beginning: readonly number[]): boolean =>
  beginning.length <= ids.length && beginning.every((id, at) => ids[at] === id);

function orFinding(loc: PlacedChoice['loc'], findings: Findings, render: () => number[]): number[] | null {
  try {
    return render();
  } catch (error) {
    findings.add('data.template_refused', loc, error instanceof Error ? error.message : String(error));
    return null;
  }
}
