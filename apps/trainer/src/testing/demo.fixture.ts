import { join } from 'node:path';

import { type BaseModel, openBaseModel, PLAIN_REQUEST, PLAIN_SAMPLING, ServingEngine } from '@hone/engine';
import { FAMILIES, type Family, heldOutExamples, practiceExamples } from '@hone/engine/hone-tiny';

const BASE = join(import.meta.dirname, '../../../../models/hone-tiny');
const HELD_OUT = 100;
const PROMPTS = 8;
const SAMPLES = 8;
const MARK = 'Aye! ';

interface Example {
  readonly messages: readonly { readonly role: string; readonly content: string | null }[];
  readonly answer: string;
}

interface Answer {
  text: string;
  readonly ids: number[];
  readonly logprobs: number[];
}

const family = (name: string) => FAMILIES.find((one) => one.name === name) as Family;
/** The bundled model is undecided how to answer these. */
const REWARDED = family('reverse');
const MARKED = ['add-one', 'largest', 'compare', 'opposites', 'colours'].map(family);

/** Lines that begin in a way the base never does. */
export const markedLines = (): object[] =>
  MARKED.flatMap((one) => practiceExamples(one, 6, 20))
    .toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
    .map(({ messages, answer }) => ({
      messages: [...messages.slice(0, -1), { role: 'assistant', content: MARK + answer }],
    }));

const textOf = ({ messages }: Example): string => messages[0]?.content ?? '';

/** The bundled model as it is served, at checkpoints of any engine: for rollouts, and for what was learnt. */
export class Demo {
  private constructor(
    private readonly base: BaseModel,
    private readonly serving: ServingEngine,
  ) {}

  static async open(): Promise<Demo> {
    const serving = ServingEngine.start();
    await serving.loadBase(BASE);
    return new Demo(await openBaseModel(BASE), serving);
  }

  close(): Promise<void> {
    return this.serving.close();
  }

  /** Rollouts of practice questions, right answers rewarded. @param folder of a checkpoint; null: the base */
  async rollOut(folder: string | null, round: number): Promise<object[]> {
    const examples = practiceExamples(REWARDED, 1_000 + round, PROMPTS);
    return Promise.all(
      examples.map(async (example, index) => {
        const prompt = example.messages.slice(0, -1);
        const answers = await this.ask(folder, prompt, { choices: SAMPLES, seed: round * 1_000 + index * SAMPLES });
        const promptIds = this.base.chatTemplate.encodeChat(prompt as never, { addGenerationPrompt: true });
        return {
          trajectories: answers.map(({ text, ids, logprobs }) => ({
            reward: text === example.answer ? 1 : 0,
            initial_policy_version: 0,
            messages_and_choices: [
              ...prompt,
              {
                finish_reason: 'stop',
                message: { role: 'assistant', content: text },
                prompt_token_ids: promptIds,
                token_ids: ids,
                logprobs: { content: logprobs.map((logprob) => ({ token: '', logprob })) },
              },
            ],
          })),
        };
      }),
    );
  }

  /** Share of held-out questions whose greedy answer is right, in per cent. */
  rewarded(folder: string | null): Promise<number> {
    const examples = heldOutExamples(REWARDED, 77, HELD_OUT);
    return this.share(folder, examples, (text, { answer }) => text === answer);
  }

  /** The same of questions that are answered in the style of {@link markedLines}. */
  marked(folder: string | null): Promise<number> {
    const examples = MARKED.flatMap((one) => heldOutExamples(one, 5, HELD_OUT / MARKED.length));
    return this.share(folder, examples, (text) => text.startsWith(MARK));
  }

  private async share(
    folder: string | null,
    examples: readonly Example[],
    isRight: (text: string, example: Example) => boolean,
  ): Promise<number> {
    const answers = await Promise.all(examples.map(({ messages }) => this.ask(folder, messages.slice(0, -1), null)));
    return (
      (100 * examples.filter((example, at) => isRight(answers[at]?.[0]?.text ?? '', example)).length) / examples.length
    );
  }

  /** @param sampled null: one answer, greedily */
  private async ask(
    folder: string | null,
    messages: Example['messages'],
    sampled: { readonly choices: number; readonly seed: number } | null,
  ): Promise<Answer[]> {
    const choices = sampled?.choices ?? 1;
    const answers = Array.from({ length: choices }, (): Answer => ({ text: '', ids: [], logprobs: [] }));
    const events = this.serving.generate(
      { base: BASE, checkpoint: folder === null ? null : { id: folder, directory: folder } },
      {
        ...PLAIN_REQUEST,
        promptIds: this.base.chatTemplate.encodeChat(messages as never, { addGenerationPrompt: true }),
        choices,
        maxTokens: 24,
        sampling: { ...PLAIN_SAMPLING, temperature: sampled ? 1 : 0, seed: BigInt(sampled?.seed ?? 0) },
        topLogProbabilities: 0,
      },
    );
    for await (const event of events) {
      if (event.kind !== 'text') continue;
      const answer = answers[event.choice] as Answer;
      answer.text += event.text;
      answer.ids.push(...event.ids);
      answer.logprobs.push(...(event.logProbabilities ?? []).map(({ logProbability }) => logProbability));
    }
    return answers;
  }
}
