import { valueIssue } from '@hone/contracts';
import { DomainError, ValidationError } from '@hone/platform';

const MAX_REASON = 480;

/** The body is no adapter for the model. `loc` names the file inside the archive, the sentence the tensor or option. */
export function adapterInvalid(file: string | null, reason: string): ValidationError {
  const sentence = reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON).toWellFormed()}…` : reason;
  return new ValidationError([valueIssue(sentence, file === null ? ['body'] : ['body', file])]);
}

/** What is in the archive is larger than an adapter may be. */
export class AdapterTooLargeError extends DomainError {
  static override readonly kind = 'too_large';
  static override readonly code = 'limit.adapter_too_large';
  constructor(maxBytes: number) {
    super(`The unpacked archive is over the limit of ${maxBytes} bytes.`);
  }
}

/** No adapter can be checked against the model's base: this service does not have it, or cannot read it. */
export class BaseUnavailableError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'checkpoint.base_unavailable';
  constructor(baseModel: string) {
    super(
      `The base model '${baseModel.slice(0, 100)}' is not available here, so that no adapter of it can be checked.`,
    );
  }
}

/** The process that checks the adapter ended before it was done. Nothing was stored. Retry. */
export class ImportFailedError extends DomainError {
  static override readonly kind = 'unavailable';
  static override readonly code = 'checkpoint.import_failed';
  override readonly headers = { 'retry-after': '5' };
  constructor() {
    super('The adapter could not be checked to the end; try again, or send a smaller one.');
  }
}

/** The checkpoint holds all weights of a model, so that there is no adapter to download. */
export class NotAnAdapterError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'checkpoint.not_an_adapter';
  constructor() {
    super('The checkpoint holds all weights of the model: download its files one by one.');
  }
}
