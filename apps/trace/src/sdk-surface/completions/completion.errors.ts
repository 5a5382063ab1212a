import { DomainError } from '@hone/platform';

/** A prompt is no object that the caller can read, or holds no messages. */
export class PromptUnreadableError extends DomainError {
  static override readonly kind = 'bad_request';
  static override readonly code = 'completion.prompt_unreadable';
  constructor(ref: string) {
    super(`The prompt '${ref.slice(0, 300)}' has no messages that you can read.`);
  }
}
