export { type DerivedEnd, derivedEnd, type DerivedStart, derivedStart } from './derived.js';
export { isSumOfDescendants, type ModelTokens } from './model-tokens.js';
