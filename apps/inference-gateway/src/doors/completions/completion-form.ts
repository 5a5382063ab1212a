import { type AnswerFailure, failureFrame } from '../../dispatch/answer/answer-failure.js';
import type { AnswerForm } from '../translation/answer-form.js';
import type { ChatLogprobs, Chunk, Completion } from '../translation/chat-json.js';

type Json = Record<string, unknown>;

/** What the caller asked of the texts. */
export interface AskedText {
  readonly model: string;
  readonly echo: boolean;
  /** A text prompt that a stream begins with; null: none. */
  readonly echoed: string | null;
  /** Only the prompt is asked for. */
  readonly isPromptOnly: boolean;
}

/** A choice of a chat completion, or of a completion, which is passed on. */
interface Choice {
  readonly index?: number;
  readonly text?: string;
  readonly message?: { readonly content?: string | null };
  readonly delta?: { readonly content?: string | null };
  readonly logprobs?: unknown;
  readonly finish_reason?: string | null;
  readonly stop_reason?: unknown;
}

/** The tokens of a prompt, which the embedded engine gives with an answer to it. */
interface PromptTokens {
  readonly prompt_texts?: readonly string[];
  readonly prompt_token_ids?: readonly number[];
  readonly prompt_logprobs?: readonly (Readonly<Record<string, RankedToken>> | null)[];
}

interface RankedToken {
  readonly logprob: number;
  readonly decoded_token: string;
}

interface NamedToken {
  readonly token: string;
  readonly logprob: number;
  readonly top_logprobs: readonly { readonly token: string; readonly logprob: number }[];
}

/** Writes answers as completions, see https://platform.openai.com/docs/api-reference/completions/object. */
export class CompletionForm implements AnswerForm {
  private hasBegun = false;
  private offset = 0;

  constructor(
    private readonly asked: AskedText,
    private readonly rid: string,
  ) {}

  whole(completion: Completion): object {
    const { created, model, usage } = completion;
    const shared = completion as PromptTokens;
    const choices = (completion.choices as readonly (Choice & PromptTokens)[]).map((choice, index) =>
      this.choice(choice, index, choice.prompt_texts === undefined ? shared : choice),
    );
    return { ...this.head(created, model), choices, ...(usage && { usage }) };
  }

  chunk({ created, model, choices, usage }: Chunk): string {
    const head = this.head(created, model);
    const shown = ((choices ?? []) as readonly Choice[]).flatMap((choice, at) => this.chunkChoices(choice, at));
    const frames = shown.map((choice) => frame({ ...head, choices: [choice] }));
    if (usage) frames.push(frame({ ...head, choices: [], usage }));
    return frames.join('');
  }

  end(): string {
    return 'data: [DONE]\n\n';
  }

  fail(failure: AnswerFailure): string {
    return failureFrame(failure).toString();
  }

  private head(created: unknown, model: unknown): Json {
    return { id: `cmpl-${this.rid}`, object: 'text_completion', created, model: model ?? this.asked.model };
  }

  private choice(choice: Choice, index: number, prompt: PromptTokens): Json {
    if (choice.text !== undefined) return { ...choice, index };
    const { echo, isPromptOnly } = this.asked;
    const { finish_reason: finish, stop_reason: stop } = choice;
    const written = isPromptOnly ? '' : (choice.message?.content ?? '');
    const texts = echo ? (prompt.prompt_texts ?? []) : [];
    const tokens = isPromptOnly ? null : ((choice.logprobs as ChatLogprobs | null) ?? null);
    const logprobs = choice.logprobs ? toLogprobs(echo ? prompt : {}, tokens, 0) : null;
    const reason = isPromptOnly ? 'length' : finish;
    return {
      index,
      text: texts.join('') + written,
      logprobs,
      finish_reason: reason,
      ...(stop !== undefined && { stop_reason: stop }),
    };
  }

  /** None: it says only that a message begins. */
  private chunkChoices(choice: Choice, at: number): Json[] {
    if (choice.text !== undefined) return [{ ...choice }];
    const { index = at, delta, finish_reason: finish = null, stop_reason: stop } = choice;
    const opening = this.opening;
    const content = this.asked.isPromptOnly ? '' : (delta?.content ?? '');
    const text = opening + content;
    if (text === '' && finish === null) return [];
    const logprobs = choice.logprobs ? toLogprobs({}, choice.logprobs as ChatLogprobs, this.offset) : null;
    this.offset += text.length;
    return [{ index, text, logprobs, finish_reason: finish, ...(stop !== undefined && { stop_reason: stop }) }];
  }

  /** The prompt, before the first text. */
  private get opening(): string {
    if (this.hasBegun) return '';
    this.hasBegun = true;
    return this.asked.echoed ?? '';
  }
}

const frame = (json: Json): string => `data: ${JSON.stringify(json)}\n\n`;

/** @param offset characters before the first token */
function toLogprobs(
  { prompt_texts: texts = [], prompt_token_ids: ids = [], prompt_logprobs: ranked = [] }: PromptTokens,
  answer: ChatLogprobs | null,
  offset: number,
): Json {
  const ofPrompt = texts.map((text, at) => {
    const known = ranked[at] ?? null;
    return { text, logprob: known?.[String(ids[at])]?.logprob ?? null, top: known && byText(Object.values(known)) };
  });
  const ofAnswer = ((answer?.content ?? []) as readonly NamedToken[]).map(({ token, logprob, top_logprobs: top }) => ({
    text: token,
    logprob,
    top: byText([
      ...top.map((other) => ({ decoded_token: other.token, logprob: other.logprob })),
      { decoded_token: token, logprob },
    ]),
  }));
  const all = [...ofPrompt, ...ofAnswer];
  let at = offset;
  const offsets = all.map(({ text }) => (at += text.length) - text.length);
  return {
    tokens: all.map(({ text }) => text),
    token_logprobs: all.map(({ logprob }) => logprob),
    top_logprobs: all.map(({ top }) => top),
    text_offset: offsets,
  };
}

const byText = (tokens: readonly RankedToken[]): Record<string, number> =>
  Object.fromEntries(tokens.map(({ decoded_token: text, logprob }) => [text, logprob]));
