export { type ObjectClass, objectClassOf } from './object-class.js';
export { type ObjectContent, toObjectContent } from './object-content.js';
export { classKeys, EVALUATION_CLASS, MODEL_CLASS, toEvaluationVal, toModelVal, versionRef } from './typed-values.js';
