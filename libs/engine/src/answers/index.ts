export type { AnswerEvent, AnswerEvents, AnswerTokens, ChoiceEnd } from './answer-event.js';
export { ConstraintProbe } from './constraint-probe.js';
export { generateAnswer } from './generate-answer.js';
export { endsInReasoning, readReasoningForm, type ReasoningForm } from './reasoning/reasoning-form.js';
export type { ReasoningPlan } from './reasoning/split-reasoning.js';
export { enforceablePlan, type LeftOutKeyword } from './enforceable-plan.js';
export { readToolCallForm, type ToolCallForm } from './tool-calls/tool-call-form.js';
export { planTools, type ToolPlan } from './tool-calls/tool-plan.js';
