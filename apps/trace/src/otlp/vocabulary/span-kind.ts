import type { AttributeReader } from './attribute-reader.js';
import { unquotedText } from './json-text.js';

/** What a span is: a request to a model, anything else that it names, or null where it names nothing. */
export type SpanKind = 'model' | 'other' | null;

/** Kinds as OpenInference, Langfuse and MLflow name them, and operations of the semantic conventions. */
const MODEL_KINDS = new Set([
  'LLM',
  'GENERATION',
  'CHAT_MODEL',
  'CHAT',
  'TEXT_COMPLETION',
  'COMPLETION',
  'GENERATE_CONTENT',
]);
/** Spans of these kinds repeat the tokens of the spans below them. */
const SUMMING_KINDS = new Set(
  ['AGENT', 'CHAIN', 'TOOL', 'GUARDRAIL', 'EVALUATOR', 'RETRIEVER', 'WORKFLOW', 'TASK'].concat([
    'INVOKE_AGENT',
    'CREATE_AGENT',
    'EXECUTE_TOOL',
    'INVOKE_WORKFLOW',
  ]),
);
const KIND_NAMES = [
  ...[
    'openinference.span.kind',
    'langfuse.observation.type',
    'gen_ai.operation.name',
    'llm.request.type',
    'traceloop.span.kind',
  ],
];
/** Outer spans of Vercel's AI SDK sum the steps below them, `ai.generateText.doGenerate` and the like. */
const AI_SDK_STEP = /\.do[A-Z]/;

function kindsOf(attributes: AttributeReader): string[] {
  const ofMlflow = unquotedText(attributes.peek('mlflow.spanType'));
  return [...KIND_NAMES.map((name) => attributes.peek(name)), ofMlflow]
    .filter((kind) => typeof kind === 'string' && kind !== '')
    .map((kind) => (kind as string).toUpperCase());
}

export function kindOf(attributes: AttributeReader): SpanKind {
  const [kind] = kindsOf(attributes);
  if (kind === undefined) return null;
  return MODEL_KINDS.has(kind) ? 'model' : 'other';
}

/** The tokens that the span counts are counted by spans below it, too. */
export function isSummingSpan(attributes: AttributeReader): boolean {
  const operation = attributes.text('ai.operationId');
  return (
    (operation !== null && !AI_SDK_STEP.test(operation)) || kindsOf(attributes).some((kind) => SUMMING_KINDS.has(kind))
  );
}
