import { SetMetadata, type Type } from '@nestjs/common';

/** Key under which the errors of a handler are kept that have a form of their own. */
export const OWN_ERRORS = 'hone.ownErrors';

/** Every error of a handler whose errors have another body than usual. */
export interface OwnErrors {
  /** Class of the body. */
  type: Type;
  /** Status -> response object of OpenAPI. */
  responses: Readonly<Record<number, object>>;
}

/**
 * Documents every error of a handler whose errors have a form of their own, in the place of those that the document
 * derives from its guards, its body and its `@Answers()`.
 */
export const AnswersErrors = (type: Type, responses: OwnErrors['responses']): MethodDecorator =>
  SetMetadata(OWN_ERRORS, { type, responses } satisfies OwnErrors);
