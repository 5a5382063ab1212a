export type { AnswerEvent, AnswerEvents, AnswerTokens, ChoiceEnd } from './answer-event.js';
export { ConstraintProbe } from './constraint-probe.js';
export { generateAnswer } from './generate-answer.js';
export { readToolCallForm, type ToolCallForm } from './tool-calls/tool-call-form.js';
export { locateCallError, planTools, type ToolPlan } from './tool-calls/tool-plan.js';
