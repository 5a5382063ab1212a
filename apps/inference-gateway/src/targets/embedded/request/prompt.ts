import type { ChatCompletionRequestDto } from '@hone/contracts';
import { ChatTemplateError, RoleNotSupportedError, TokenizerSlowError } from '@hone/engine';

import type { EmbeddedBase } from '../embedded-base.js';
import type { RawPrompt } from './completion-fields.js';
import { contentText, partIssues, toolIssues, toTemplateMessages, toTemplateTools } from './conversation.js';
import { RefusedRequest, unsupported, wrongValue } from './request-issue.js';
import { answerLimit } from './sampling.js';

const TEMPLATE = 'chat_template';
const TOO_SLOW = "The model's tokenizer takes too long with them";
const TOO_SLOW_TEXT = "The model's tokenizer takes too long with it";
/** Most text that is encoded for any context length: encoding blocks the event loop. */
const MAX_CUT_BYTES = 1_048_576;

/**
 * Renders and encodes the prompt of a request, which leaves room for an answer.
 *
 * @throws RefusedRequest
 */
export function encodePrompt(fields: ChatCompletionRequestDto, base: EmbeddedBase): number[] {
  const ids = encodeAnyPrompt(fields, base);
  const { contextLength } = base.info;
  if (ids.length >= contextLength) throw tooLong(`${ids.length} tokens`, contextLength);
  return ids;
}

/**
 * Encodes a prompt that is continued as it stands. Its markers are control tokens, as in other servers: whoever may write
 * the whole prompt may write them too.
 *
 * @throws RefusedRequest
 */
export function encodeRawPrompt(prompt: RawPrompt, base: EmbeddedBase): number[] {
  const { contextLength, config } = base.info;
  if (typeof prompt === 'string') assertTextFits(prompt, base);
  const ids = typeof prompt === 'string' ? encodeText(prompt, base) : [...prompt];
  if (ids.some((id) => id >= config.vocabSize)) {
    throw RefusedRequest.issues(wrongValue(['prompt'], `Token ids should be below ${config.vocabSize}`));
  }
  if (ids.length === 0) throw RefusedRequest.issues(wrongValue(['prompt'], 'It has no token'));
  if (ids.length >= contextLength) throw tooLong(`${ids.length} tokens`, contextLength);
  return ids;
}

function assertTextFits(text: string, { info, longestTokenBytes }: EmbeddedBase): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > info.contextLength * longestTokenBytes) throw tooLong(`${bytes} bytes`, info.contextLength);
}

function encodeText(text: string, { model }: EmbeddedBase): number[] {
  try {
    return model.tokenizer.addSpecialTokens(model.tokenizer.encodeWithControls(text));
  } catch (error) {
    if (error instanceof TokenizerSlowError) throw RefusedRequest.issues(wrongValue(['prompt'], TOO_SLOW_TEXT));
    throw error;
  }
}

/** The same of one that may leave no room: only text that cannot fit is refused. @throws RefusedRequest */
export function encodeAnyPrompt(fields: ChatCompletionRequestDto, base: EmbeddedBase): number[] {
  assertRenderable(fields, base);
  assertEncodable(fields, base);
  return truncate(render(fields, base), fields, base);
}

function assertRenderable(fields: ChatCompletionRequestDto, base: EmbeddedBase) {
  const { messages, chat_template_kwargs: kwargs } = fields;
  if (!base.hasTemplate) throw RefusedRequest.issues(wrongValue(['model'], 'The model has no chat template'));
  const issues = [...partIssues(messages), ...toolIssues(fields)];
  // It would replace the template that the model was trained with; all other keys are the template's own.
  if ((kwargs?.[TEMPLATE] ?? null) !== null) {
    issues.push(unsupported(['chat_template_kwargs', TEMPLATE], 'The model has a chat template of its own'));
  }
  if (issues.length > 0) throw RefusedRequest.issues(...issues);
}

/** Ours: keys that the template does not read are ignored, as other servers do. Clients send theirs to every model. */
function readKwargs(kwargs: Record<string, unknown>, { declaredKwargs }: EmbeddedBase): Record<string, unknown> {
  return Object.fromEntries(Object.entries(kwargs).filter(([name]) => declaredKwargs.has(name)));
}

/** Refuses text that cannot fit, before it is encoded. */
function assertEncodable({ messages, truncate_prompt_tokens: kept }: ChatCompletionRequestDto, base: EmbeddedBase) {
  const { contextLength } = base.info;
  const fitting = contextLength * base.longestTokenBytes;
  const isCut = kept !== undefined && kept !== null && kept < contextLength;
  const bytes = messages.reduce((sum, message) => sum + Buffer.byteLength(contentText(message)), 0);
  if (bytes > (isCut ? Math.max(fitting, MAX_CUT_BYTES) : fitting)) throw tooLong(`${bytes} bytes`, contextLength);
}

function render(fields: ChatCompletionRequestDto, base: EmbeddedBase): number[] {
  const continues = fields.continue_final_message === true;
  try {
    return base.model.chatTemplate.encodeChat(toTemplateMessages(fields.messages), {
      tools: toTemplateTools(fields),
      documents: fields.documents?.length ? fields.documents : null,
      addGenerationPrompt: fields.add_generation_prompt !== false && !continues,
      continueFinalMessage: continues,
      addSpecialTokens: fields.add_special_tokens === true,
      templateKwargs: readKwargs(fields.chat_template_kwargs ?? {}, base),
    });
  } catch (error) {
    if (error instanceof RoleNotSupportedError) {
      const at = fields.messages.findIndex(({ role }) => role === error.role);
      throw RefusedRequest.issues(unsupported(['messages', Math.max(at, 0), 'role'], error.message));
    }
    if (error instanceof ChatTemplateError) throw RefusedRequest.issues(wrongValue(['messages'], error.message));
    // Not a failure of the model's: it answers others, and this request no more when it is repeated.
    if (error instanceof TokenizerSlowError) throw RefusedRequest.issues(wrongValue(['messages'], TOO_SLOW));
    // The text leaves no character free for escaping, or the template recurses too deeply.
    if (error instanceof RangeError) throw RefusedRequest.issues(wrongValue(['messages'], 'They cannot be rendered'));
    throw error;
  }
}

/** Ours: -1 leaves room for the requested answer; the whole context would leave none. */
function truncate(ids: number[], fields: ChatCompletionRequestDto, { info }: EmbeddedBase): number[] {
  const { truncate_prompt_tokens: wanted } = fields;
  if (wanted === undefined || wanted === null) return ids;
  if (wanted === 0) throw RefusedRequest.issues(wrongValue(['truncate_prompt_tokens'], 'It would leave no prompt'));
  const kept = wanted === -1 ? Math.max(1, info.contextLength - (answerLimit(fields) ?? 1)) : wanted;
  return ids.length > kept ? ids.slice(-kept) : ids;
}

const tooLong = (length: string, contextLength: number): RefusedRequest =>
  RefusedRequest.contextLength(
    `The prompt has ${length}; with at least one for the answer the model holds ${contextLength} tokens.`,
  );
