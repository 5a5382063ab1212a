import { EngineError } from '../../errors.js';

/** The model has no chat template: it is a base model that was not trained on conversations. */
export class ChatTemplateMissingError extends EngineError {
  constructor(directory: string) {
    super('engine.chat_template_missing', `${directory}: the model has no chat template.`);
  }
}

/** The template refused the conversation, in its own words, or is itself faulty. */
export class ChatTemplateError extends EngineError {
  constructor(
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super('engine.chat_template_failed', `The model's chat template cannot render this: ${reason}`, options);
  }
}

/** The template itself cannot be read, whatever the conversation is. */
export class ChatTemplateInvalidError extends EngineError {
  constructor(directory: string, cause: ChatTemplateError) {
    const reason = cause.reason.replace(/\.?$/, '.');
    super('engine.chat_template_failed', `${directory}: the chat template: ${reason}`, { cause });
  }
}

/** The model's chat template does not support messages of this role. */
export class RoleNotSupportedError extends EngineError {
  constructor(
    readonly role: string,
    options?: ErrorOptions,
  ) {
    super('engine.role_not_supported', `The model's chat template has no role ${JSON.stringify(role)}.`, options);
  }
}

/** A conversation has more tokens than its caller can use: a result, not a defect of the conversation. */
export class ConversationTooLongError extends Error {
  constructor(maxTokens: number) {
    super(`The conversation has more than ${maxTokens} tokens.`);
  }
}
