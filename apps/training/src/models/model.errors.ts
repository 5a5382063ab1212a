import { valueIssue } from '@hone/contracts';
import { DomainError, ValidationError } from '@hone/platform';

/** Characters of the ids that the error names. */
const MAX_NAMED = 300;

/** Neither a models folder nor a training server has the base model. */
export class BaseModelUnknownError extends ValidationError {
  /** @param known ids of those there are */
  constructor(known: readonly string[]) {
    const named = known.filter((_, at) => known.slice(0, at + 1).join(', ').length <= MAX_NAMED);
    const more = known.length > named.length ? ` and ${known.length - named.length} more` : '';
    const choice = known.length > 0 ? `There are ${named.join(', ')}${more}` : 'There is none';
    super([valueIssue(`Unknown base model. ${choice}. Add one with: npm run models -- add`, ['body', 'base_model'])]);
  }
}

/** Unknown or deleted. */
export class ModelNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'model.not_found';
  constructor(modelId: string) {
    super(`There is no model '${modelId}'.`);
  }
}

/** A live model of the project has this name. */
export class ModelNameTakenError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'model.name_taken';
  constructor(name: string, projectId: string) {
    super(`A model named ${name} exists in ${projectId}.`);
  }
}
