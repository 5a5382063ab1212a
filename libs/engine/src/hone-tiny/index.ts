export { heldOutExamples, practiceExamples } from './corpus.js';
export type { Example, Family } from './example.js';
export { FAMILIES } from './families/families.js';
