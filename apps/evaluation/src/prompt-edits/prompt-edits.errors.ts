import { DomainError } from '@hone/platform';

/** Unknown. */
export class PromptEditNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'prompt_edit.not_found';
  constructor(id: string) {
    super(`There is no edit of a prompt '${id}'.`);
  }
}

/** It has ended: there is nothing to cancel. */
export class PromptEditEndedError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'prompt_edit.ended';
  constructor(id: string, status: string) {
    super(`The edit of a prompt '${id}' has ended: it is ${status}.`);
  }
}

/** As many as a project may have running. Nothing was stored. */
export class TooManyPromptEditsError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'prompt_edit.too_many';
  constructor(limit: number) {
    super(`This project has ${limit} running edits of prompts, which is the limit; wait for one, or cancel one.`);
  }
}
