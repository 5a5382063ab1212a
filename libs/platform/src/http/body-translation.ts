import type { Class, JsonLimits, JsonValue } from '@hone/contracts';

/** The value for a body of a class; it may change the one that it gets. @throws DomainError */
export type Translate = (value: JsonValue, type: Class) => JsonValue;

/** How the bodies of another surface become what the handlers take. */
export interface BodyTranslation extends SentTranslation {
  readonly translate: Translate;
}

/** The same for a thread. */
export interface SentTranslation {
  /** What its JSON may hold. */
  readonly limits: JsonLimits;
  /** `import.meta.url` of a {@link TranslationModule}. */
  readonly module: string;
  readonly options: unknown;
}

/** A module that makes the translation from its options. */
export interface TranslationModule<Options> {
  readonly TRANSLATION: (options: Options) => Translate;
}
