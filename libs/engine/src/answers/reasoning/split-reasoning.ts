import type { AnswerEvent, AnswerEvents, AnswerTokens } from '../answer-event.js';
import { TokenBuffer } from '../token-buffer.js';
import type { ReasoningForm } from './reasoning-form.js';
import { ReasoningSplitter, type SplitText } from './reasoning-splitter.js';

/** How the answers of one request are split. */
export interface ReasoningPlan {
  readonly form: ReasoningForm;
  /** The prompt ends within the reasoning. */
  readonly isOpen: boolean;
}

/**
 * Takes the reasoning out of the text of an answer. A token with the end of the reasoning and the beginning of the
 * answer counts as one of the answer.
 *
 * @param hasReports log-probabilities were asked for
 */
export async function* splitReasoning(events: AnswerEvents, plan: ReasoningPlan, hasReports: boolean): AnswerEvents {
  const choices = new Map<number, ChoiceSplit>();
  for await (const event of events) {
    if (event.kind === 'prompt') {
      yield event;
      continue;
    }
    const choice = choices.get(event.choice) ?? new ChoiceSplit(event.choice, plan, hasReports);
    choices.set(event.choice, choice);
    yield* choice.split(event);
  }
}

class ChoiceSplit {
  private readonly splitter: ReasoningSplitter;
  private readonly tokens: TokenBuffer;

  constructor(
    private readonly choice: number,
    { form, isOpen }: ReasoningPlan,
    hasReports: boolean,
  ) {
    this.splitter = new ReasoningSplitter(form, isOpen);
    this.tokens = new TokenBuffer(hasReports);
  }

  *split(event: Exclude<AnswerEvent, { kind: 'prompt' }>): Generator<AnswerEvent, void, undefined> {
    if (event.kind === 'text') {
      this.tokens.add(event);
      yield* this.parts(this.splitter.push(event.text));
      return;
    }
    yield* this.parts(this.splitter.end());
    this.tokens.add(event);
    yield { ...event, ...this.tokens.take() };
  }

  /** The last part has the tokens. */
  private *parts(parts: readonly SplitText[]): Generator<AnswerEvent, void, undefined> {
    const { choice } = this;
    for (const [index, part] of parts.entries()) {
      yield { ...part, choice, ...(index === parts.length - 1 ? this.tokens.take() : this.noTokens()) };
    }
  }

  private noTokens(): AnswerTokens {
    return new TokenBuffer(this.tokens.hasReports).take();
  }
}
